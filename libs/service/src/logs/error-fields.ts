/** What the log says about an error: enough to find its cause, nothing that came from a caller's body. */
export interface ErrorFields {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string;
  readonly cause?: ErrorFields;
}

const deepestCause = 4;

/**
 * Chooses what of an error is logged. Only the named fields: drivers hang rows, parameters and whole requests
 * on theirs.
 */
export function errorFields(error: unknown, depth = 0): ErrorFields {
  if (!(error instanceof Error)) return { type: typeof error, message: 'non-Error thrown' };
  const { name, message, stack, cause } = error;
  const code = 'code' in error ? error.code : undefined;
  const hasCause = cause !== undefined && depth < deepestCause;
  return {
    type: name,
    message,
    ...(typeof code === 'string' ? { code } : {}),
    ...(stack === undefined ? {} : { stack }),
    ...(hasCause ? { cause: errorFields(cause, depth + 1) } : {}),
  };
}
