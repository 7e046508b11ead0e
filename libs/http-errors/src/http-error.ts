/** What an error sends to the caller of the API. */
export interface ErrorReply {
  /** HTTP status, 400 to 599. */
  readonly status: number;
  /** What the body's `message` says: one sentence, or a list with one sentence for each rule that the input broke. */
  readonly message: string | readonly string[];
  /** The sentences of a list, by field. */
  readonly details?: readonly FieldProblems[];
  /** Header fields that the reply must carry. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** What is wrong with one field. */
export interface FieldProblems {
  /** The path of the field from the outside in, such as `items.0.quantity`. */
  readonly field: string;
  /** One sentence per broken rule, each beginning with the field's own name: `quantity must be a string`. */
  readonly messages: readonly string[];
}

/**
 * An error that answers the caller: for what they sent, want or are, or because there are too many requests.
 *
 * It has no stack trace, so that `stack` is one line: callers cause one as often as they like, a trace would show nothing
 * of their mistake, and taking it costs more than everything else that is done about it. A `cause` keeps its own.
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
