import { type ErrorReply, HttpError } from './http-error';
import { jsonPointer } from './input-problem';
import { type ProblemType, problemType } from './problem-type';

/** The facts of an error that passes. */
export const retryParams = { retryAfterSeconds: 'integer' } as const;

/** What is known of one occurrence of an error. Nothing from a body. */
export interface Occurrence
  extends Pick<ErrorReply, 'message' | 'details' | 'headers' | 'params'>, ErrorOptions {
  /** The message for the log; default the one of the reply. */
  readonly log?: string;
  /** The members of the request that it is about; they get the message, the code and the facts. */
  readonly members?: readonly (readonly string[])[];
  /** The part of the request that has them; default the body. */
  readonly in?: 'body' | 'query';
  /** How long to wait until the request may succeed; rounded up to whole seconds, at least one. */
  readonly waitMs?: number;
}

/** What an error class is made from. */
interface Declared<Facts extends readonly unknown[]> extends Omit<ProblemType, 'code' | 'status'> {
  /** The message of the reply; or a function that makes it, and what else is known, from the arguments of the class. */
  readonly reply: string | ((...facts: Facts) => string | Occurrence);
  /** The message for the log, in all occurrences. */
  readonly log?: string;
}

/** A class of errors with a reply and a kind. */
export interface HttpErrorClass<Facts extends readonly unknown[]> {
  new (...facts: Facts): HttpError;
  readonly prototype: HttpError;
  readonly problem: ProblemType;
}

/**
 * Makes the class of an error that has an HTTP reply: one entry of a catalogue.
 *
 * @param name of the class
 * @param code its kind, see {@link ProblemType}
 */
export function httpError<Facts extends readonly unknown[] = []>(
  name: string,
  status: number,
  code: string,
  { reply, log, ...declared }: Declared<Facts>,
): HttpErrorClass<Facts> {
  const problem = problemType({ code, status, ...declared });
  const type = class extends HttpError {
    static readonly problem = problem;
    override readonly name = name;
    readonly reply: ErrorReply;

    constructor(...facts: Facts) {
      const made = typeof reply === 'string' ? reply : reply(...facts);
      const occurrence = typeof made === 'string' ? { message: made } : made;
      super(log ?? occurrence.log ?? String(occurrence.message), occurrence);
      this.reply = replyOf(problem, occurrence);
    }
  };
  return Object.defineProperty(type, 'name', { value: name });
}

/** @see RFC 9110 §10.2.3 (`Retry-After`) */
function replyOf(problem: ProblemType, occurrence: Occurrence): ErrorReply {
  const { message, details, waitMs, members, in: place = 'body' } = occurrence;
  let { headers, params } = occurrence;
  if (waitMs !== undefined) {
    const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
    headers = { ...headers, 'Retry-After': String(retryAfterSeconds) };
    params = { ...params, retryAfterSeconds };
  }
  const { status, code } = problem;
  const inputProblems =
    members &&
    (() => ({
      listed: members.map((path) => ({
        in: place,
        pointer: jsonPointer(path),
        code,
        params: { ...params },
        detail: String(message),
      })),
      omitted: 0,
    }));
  return { status, message, details, headers, problem, params, inputProblems };
}
