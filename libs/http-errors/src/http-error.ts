import type { InputProblems } from './input-problem';
import type { ProblemType } from './problem-type';

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
  /** Which error it is, for clients; default the one of the status. */
  readonly problem?: ProblemType;
  /** The facts that `problem.params` declares. */
  readonly params?: Readonly<Record<string, number | string | readonly string[]>>;
  /** The invalid values of the request; called only if the client asks for them. */
  readonly inputProblems?: () => InputProblems;
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
