/**
 * A class that would send more than it declares; thrown where the class is declared, not at the first request.
 *
 * class-transformer does not inherit a class-level `@Exclude()`, so a subclass of a closed class sends all its
 * fields; and it does not use the type of a property, so a property without `@Type` sends any value unchanged.
 */
export class OpenWireClassError extends TypeError {
  constructor(message: string) {
    super(message);
    this.name = 'OpenWireClassError';
  }
}

/**
 * Routes would send more than they declare, or contradict their declaration. Fails the start.
 *
 * `answers` has one line per finding, with its remedy.
 */
export class UndeclaredResponsesError extends TypeError {
  constructor(readonly declarations: readonly string[]) {
    super(
      `These handlers have invalid response declarations:\n${declarations.map((line) => `  ${line}`).join('\n')}`,
    );
    this.name = 'UndeclaredResponsesError';
  }
}

/**
 * An object is in a property without a class: possibly a row, so nothing of the response is sent.
 *
 * Thrown when the response is written: the compiler's metadata is `Object` for every nullable property.
 */
export class UndeclaredPartError extends TypeError {
  /** @param property such as `Order.owner` */
  constructor(readonly property: string) {
    super(
      `${property} holds an object and has no class. Put @Type(() => Class) on it, or @Type(() => Object) for JSON of any form.`,
    );
    this.name = 'UndeclaredPartError';
  }
}

/** A route returned something that it does not declare, so nothing of it was sent. */
export class UndeclaredResponseError extends TypeError {
  /** @param route such as `GET /users/:id` */
  constructor(
    readonly route: string,
    what = 'an object',
  ) {
    super(`${route} returned ${what} and does not declare that. Declare its response with @Returns.`);
    this.name = 'UndeclaredResponseError';
  }
}

/** A route returned a list that is too long to be written at once, so nothing of it was sent. */
export class ResponseTooLargeError extends RangeError {
  /** @param route such as `GET /users` */
  constructor(
    readonly route: string,
    readonly maxLength: number,
  ) {
    super(`${route} returned a list of more than ${maxLength} characters. Use Page(…) instead.`);
    this.name = 'ResponseTooLargeError';
  }
}

/** A program uses `@Returns` or `@SerializeOptions` without `bindSerialization`. Fails the start. */
export class UnboundSerializationError extends TypeError {
  constructor(readonly controllers: readonly string[]) {
    super(
      `${controllers.join(', ')}: @Returns and @SerializeOptions have no effect in this program. ` +
        'Call bindSerialization(app) before app.init().',
    );
    this.name = 'UnboundSerializationError';
  }
}
