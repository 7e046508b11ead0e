/** An error's logged fields. They suffice to find its cause and contain nothing from a request body. */
export interface ErrorFields {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string;
  readonly cause?: ErrorFields;
}

const maxCauseDepth = 4;

/**
 * Serializes an error for the log. Only the named fields are kept, because drivers attach rows, parameters and whole requests to
 * their errors.
 */
export function errorFields(error: unknown, depth = 0): ErrorFields {
  if (!(error instanceof Error)) return { type: typeof error, message: 'non-Error thrown' };
  const { name, message, stack, cause } = error;
  const code = 'code' in error ? error.code : undefined;
  const hasCause = cause !== undefined && depth < maxCauseDepth;
  return {
    type: name,
    message,
    ...(typeof code === 'string' ? { code } : {}),
    ...(stack === undefined ? {} : { stack }),
    ...(hasCause ? { cause: errorFields(cause, depth + 1) } : {}),
  };
}
