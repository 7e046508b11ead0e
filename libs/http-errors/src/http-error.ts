import type { InputProblems } from './input-problem';
import type { ProblemType } from './problem-type';

/** The HTTP reply to an error. */
export interface ErrorReply {
  /** The HTTP status, 400 to 599. */
  readonly status: number;
  /** The body's `message`: a sentence, or a sentence per validation error. */
  readonly message: string | readonly string[];
  /** The messages in the list, grouped by field. */
  readonly details?: readonly FieldProblems[];
  /** The additional header fields. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The error kind for clients; default the generic kind for the status. */
  readonly problem?: ProblemType;
  /** The facts that `problem.params` declares. */
  readonly params?: Readonly<Record<string, number | string | readonly string[]>>;
  /** The invalid values of the request; called only if the client asks for them. */
  readonly inputProblems?: () => InputProblems;
}

/** A field's validation errors. */
export interface FieldProblems {
  /** The field's path, such as `items.0.quantity`. */
  readonly field: string;
  /** The messages: a sentence per violated rule, starting with the field name: `quantity must be a string`. */
  readonly messages: readonly string[];
}

/**
 * An error with an HTTP reply: the request is invalid, not allowed, conflicts with the current state, or comes too often.
 *
 * The `stack` is a single line. Callers can cause any number of errors, a trace would say little about their mistake, and
 * capturing it costs more than the remaining error handling. A `cause` keeps its own stack.
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
