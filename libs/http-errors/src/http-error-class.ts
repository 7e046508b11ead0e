import { type ErrorReply, HttpError } from './http-error';
import { jsonPointer } from './input-problem';
import { type ProblemType, problemType } from './problem-type';

/** The facts of a temporary error. */
export const retryParams = { retryAfterSeconds: 'integer' } as const;

/** The facts about a single error occurrence. They never include body values. */
export interface Occurrence
  extends Pick<ErrorReply, 'message' | 'details' | 'headers' | 'params'>, ErrorOptions {
  /** The message for the log; default the reply message. */
  readonly log?: string;
  /** The request members that caused the error; they get the message, the code and the facts. */
  readonly members?: readonly (readonly string[])[];
  /** The request part with the members; default the body. */
  readonly in?: 'body' | 'query';
  /** The waiting time until the request may succeed; rounded up to whole seconds, at least 1. */
  readonly waitMs?: number;
}

/** The properties from which an error class is made. */
interface Declared<Facts extends readonly unknown[]> extends Omit<ProblemType, 'code' | 'status'> {
  /** The reply message, or a function that makes the message and other facts from the constructor arguments. */
  readonly reply: string | ((...facts: Facts) => string | Occurrence);
  /** The message for the log, in all occurrences. */
  readonly log?: string;
}

/** An error class with a reply and a kind. */
export interface HttpErrorClass<Facts extends readonly unknown[]> {
  new (...facts: Facts): HttpError;
  readonly prototype: HttpError;
  readonly problem: ProblemType;
}

/**
 * Makes an error class with an HTTP reply, which is an entry in a catalogue.
 *
 * @param name the class name
 * @param code the error kind, see {@link ProblemType}
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
      const result = typeof reply === 'string' ? reply : reply(...facts);
      const occurrence = typeof result === 'string' ? { message: result } : result;
      super(log ?? occurrence.log ?? String(occurrence.message), occurrence);
      this.reply = replyOf(problem, occurrence);
    }
  };
  return Object.defineProperty(type, 'name', { value: name });
}

/** @see RFC 9110 §10.2.3 (`Retry-After`) */
function replyOf(problem: ProblemType, occurrence: Occurrence): ErrorReply {
  const { message, waitMs, members, in: place = 'body' } = occurrence;
  const details =
    occurrence.details ?? members?.map((path) => ({ field: path.join('.'), messages: [String(message)] }));
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
