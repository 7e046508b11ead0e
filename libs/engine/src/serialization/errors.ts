/**
 * Reports a class that would send more than it declares. It is thrown at the class declaration, before the first request.
 *
 * class-transformer ignores an inherited class-level `@Exclude()`, so a subclass of a closed class sends all its fields. It also
 * ignores a property's type, so a property without `@Type` sends any value unchanged.
 */
export class OpenWireClassError extends TypeError {
  constructor(message: string) {
    super(message);
    this.name = 'OpenWireClassError';
  }
}

/**
 * Reports routes that would send more than they declare, or that contradict their declaration. Fails the start.
 *
 * `declarations` has a line per finding, with its remedy.
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
 * Reports an object in a property without a class. The object may be a row, so the whole response is withheld.
 *
 * Thrown when the response is written, because the compiler's metadata is `Object` for every nullable property.
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

/** Reports a route that returned an undeclared value. The whole response is withheld. */
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

/** Reports a list that is too long to be written at once. The whole response is withheld. */
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

/** Reports a program that uses `@Returns` or `@SerializeOptions` without `bindSerialization`. Fails the start. */
export class UnboundSerializationError extends TypeError {
  constructor(readonly controllers: readonly string[]) {
    super(
      `${controllers.join(', ')}: @Returns and @SerializeOptions have no effect in this program. ` +
        'Call bindSerialization(app) before app.init().',
    );
    this.name = 'UnboundSerializationError';
  }
}
