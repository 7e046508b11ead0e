/**
 * Creates an error whose `stack` is one line. Callers can cause as many as they like, a trace shows nothing about their
 * mistake, and to capture it costs more than to validate the body.
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
