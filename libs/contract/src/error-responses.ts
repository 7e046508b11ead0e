import type { ProblemType } from '@app/http-errors';

/** An error class with a single error kind. */
export interface ProblemClass {
  readonly problem: ProblemType;
}

/** An error response of a handler: an error class, or a status, optionally with a body class. */
export type DeclaredError = number | ProblemClass | readonly [status: number, body: Function];

const declared = new WeakMap<object, readonly DeclaredError[]>();

/**
 * Declares the error responses of a handler: `@ErrorResponses(ValueConflictError, 404)`. Errors from validation, the guard and
 * size limits are added automatically. An error class also declares its error code.
 *
 * It affects the description only. A test that receives an undeclared response fails.
 */
export function ErrorResponses(...errors: readonly DeclaredError[]): MethodDecorator {
  return (_target, _name, descriptor: PropertyDescriptor) => {
    const handler: object = descriptor.value;
    declared.set(handler, [...errorResponsesOf(handler), ...errors]);
  };
}

/** The {@link ErrorResponses} of a handler (the method itself). */
export function errorResponsesOf(handler: object): readonly DeclaredError[] {
  return declared.get(handler) ?? [];
}
