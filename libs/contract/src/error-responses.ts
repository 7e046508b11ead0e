import type { ProblemType } from '@app/http-errors';

/** A class of errors, each of which is of the same kind. */
export interface ProblemClass {
  readonly problem: ProblemType;
}

/** An error response of a handler: its class; its status, optionally with the class of its body. */
export type DeclaredError = number | ProblemClass | readonly [status: number, body: Function];

const declared = new WeakMap<object, readonly DeclaredError[]>();

/**
 * Declares the error responses of a handler itself: `@ErrorResponses(ValueConflictError, 404)`. Those of validation, guard and size
 * limits are known. A class also declares the code of the error.
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
