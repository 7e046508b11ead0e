/** The HTTP reply to an error. */
export interface ErrorReply {
  /** HTTP status, 400 to 599. */
  readonly status: number;
  /** The body's `message`: one sentence, or one per validation error. */
  readonly message: string | readonly string[];
  /** The sentences of a list, grouped by field. */
  readonly details?: readonly FieldProblems[];
  /** Additional header fields. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The validation errors of one field. */
export interface FieldProblems {
  /** The path of the field, such as `items.0.quantity`. */
  readonly field: string;
  /** One sentence per violated rule, starting with the field's name: `quantity must be a string`. */
  readonly messages: readonly string[];
}

/**
 * An error with an HTTP reply: the request is invalid, not allowed, conflicts with the current state, or comes too often.
 *
 * It has no stack trace: `stack` is one line. Callers can cause as many as they like, a trace shows nothing about their
 * mistake, and capturing it costs more than the rest of the error handling. A `cause` keeps its own.
 */
export abstract class HttpError extends Error {
  abstract readonly reply: ErrorReply;

  constructor(message?: string, options?: ErrorOptions) {
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
    try {
      super(message, options);
    } finally {
      Error.stackTraceLimit = limit;
    }
  }
}

/**
 * The reply to a request that may succeed later.
 *
 * @param status 429: the caller has sent too many; 503: the service cannot answer at present
 * @param waitMs how long to wait; rounded up to whole seconds, at least one
 * @see RFC 9110 §10.2.3 (`Retry-After`)
 */
export function retryLater(status: 429 | 503, message: string, waitMs: number): ErrorReply {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  return { status, message, headers: { 'Retry-After': String(seconds) } };
}
