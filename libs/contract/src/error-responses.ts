/** An error that a handler answers with: its status, or that and the class of a body of its own. */
export type DeclaredError = number | readonly [status: number, body: Function];

const declared = new WeakMap<object, readonly DeclaredError[]>();

/**
 * Names the errors that a handler answers with by its own decision: `@ErrorResponses(404, 409)`. Those that follow from what
 * stands before it (rules of input, the guard, limits of size) are known without.
 *
 * It changes no answer; an answer that was not declared fails the test that sees it.
 */
export function ErrorResponses(...errors: readonly DeclaredError[]): MethodDecorator {
  return (_target, _name, descriptor: PropertyDescriptor) => {
    const handler: object = descriptor.value;
    declared.set(handler, errors);
  };
}

/** What {@link ErrorResponses} says of a handler (the method itself). */
export function errorResponsesOf(handler: object): readonly DeclaredError[] {
  return declared.get(handler) ?? [];
}
