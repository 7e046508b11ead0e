/**
 * Creates an error with a single-line `stack`. Callers can cause any number of errors, a trace shows nothing about their
 * mistake, and capturing it costs more than validating the body.
 */
export function withoutTrace<Made>(create: () => Made): Made {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    return create();
  } finally {
    Error.stackTraceLimit = limit;
  }
}
