/** An error response of a handler: its status, optionally with the class of its body. */
export type DeclaredError = number | readonly [status: number, body: Function];

const declared = new WeakMap<object, readonly DeclaredError[]>();

/**
 * Declares the error responses of a handler itself: `@ErrorResponses(404, 409)`. Those of validation, guard and size
 * limits are known.
 *
 * It affects the description only; an undeclared response fails the test that receives it.
 */
export function ErrorResponses(...errors: readonly DeclaredError[]): MethodDecorator {
  return (_target, _name, descriptor: PropertyDescriptor) => {
    const handler: object = descriptor.value;
    declared.set(handler, errors);
  };
}

/** The {@link ErrorResponses} of a handler (the method itself). */
export function errorResponsesOf(handler: object): readonly DeclaredError[] {
  return declared.get(handler) ?? [];
}
