/** What a caller of the API is told: the one filter of the service turns it into a reply. */
export interface Answer {
  /** HTTP status, 400 to 599. */
  readonly status: number;
  /** What the body's `message` says: one sentence, or one for each rule that was broken. */
  readonly message: string | readonly string[];
  /** Headers the reply must carry. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * A request that is turned away for what its caller sent, wants or is; or because there are too many of them.
 *
 * It has no trace, so that `stack` is one line: callers cause one as often as they like, a trace would show nothing of
 * their mistake, and taking it costs more than all else that is done about it. A `cause` keeps its own.
 */
export abstract class RefusalError extends Error {
  abstract readonly answer: Answer;

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
