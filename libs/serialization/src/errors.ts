/**
 * A class that would send more than its author meant; told where the class is declared, not when a request comes.
 *
 * class-transformer does not inherit a class-level `@Exclude()`, so a subclass of a closed class sends every field it
 * is given; and it does not look at the type of a property, so one without `@Type` sends whatever it holds.
 */
export class OpenWireClassError extends TypeError {
  constructor(message: string) {
    super(message);
    this.name = 'OpenWireClassError';
  }
}

/**
 * Routes would answer more than somebody declared, or otherwise than declared. Ends the start.
 *
 * `answers` holds one line for each finding, with what to do about it.
 */
export class UndeclaredAnswersError extends TypeError {
  constructor(readonly answers: readonly string[]) {
    super(
      `These handlers would answer otherwise than declared:\n${answers.map((line) => `  ${line}`).join('\n')}`,
    );
    this.name = 'UndeclaredAnswersError';
  }
}

/**
 * An object stands in a property that names no class for it: a store's row perhaps, so nothing of the answer is sent.
 *
 * Told when the answer is written: a compiler notes `Object` for every property that may be null.
 */
export class UndeclaredPartError extends TypeError {
  /** @param property such as `Order.owner` */
  constructor(readonly property: string) {
    super(
      `${property} holds an object and names no class. Put @Type(() => Class) on it, or @Type(() => Object) for JSON of any form.`,
    );
    this.name = 'UndeclaredPartError';
  }
}

/** A route answered with something that it does not declare, so nothing of it was sent. */
export class UndeclaredAnswerError extends TypeError {
  /** @param route such as `GET /users/:id` */
  constructor(
    readonly route: string,
    what = 'an object',
  ) {
    super(`${route} answered with ${what} and declares none. Declare what it answers with @Answers.`);
    this.name = 'UndeclaredAnswerError';
  }
}

/** A route answered with a list that is too long to be written at once, so nothing of it was sent. */
export class AnswerTooLargeError extends RangeError {
  /** @param route such as `GET /users` */
  constructor(
    readonly route: string,
    readonly maxLength: number,
  ) {
    super(`${route} answered with a list of more than ${maxLength} characters. Answer with Page(…) instead.`);
    this.name = 'AnswerTooLargeError';
  }
}

/** `@Answers` or `@SerializeOptions` stand on routes of a program in which nobody obeys them. Ends the start. */
export class UnboundSerializationError extends TypeError {
  constructor(readonly controllers: readonly string[]) {
    super(
      `${controllers.join(', ')}: what @Answers and @SerializeOptions say is not obeyed in this program. ` +
        'Call bindSerialization(app) before app.init().',
    );
    this.name = 'UnboundSerializationError';
  }
}
