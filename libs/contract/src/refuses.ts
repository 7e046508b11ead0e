/** An error that a handler answers with: its status, or that and the class of a body of its own. */
export type Refusal = number | readonly [status: number, body: Function];

const declared = new WeakMap<object, readonly Refusal[]>();

/**
 * Names the errors that a handler answers with by its own decision: `@Refuses(404, 409)`. Those that follow from what
 * stands before it (rules of input, the guard, limits of size) are known without.
 *
 * It changes no answer; an answer that was not declared fails the test that sees it.
 */
export function Refuses(...refusals: readonly Refusal[]): MethodDecorator {
  return (_target, _name, descriptor: PropertyDescriptor) => {
    const handler: object = descriptor.value;
    declared.set(handler, refusals);
  };
}

/** What {@link Refuses} says of a handler (the method itself). */
export function refusalsOf(handler: object): readonly Refusal[] {
  return declared.get(handler) ?? [];
}
