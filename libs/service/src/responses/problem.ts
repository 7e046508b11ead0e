import { type ErrorForm, problemIn } from '@app/contract';
import {
  type ErrorReply,
  type InputProblem,
  type InputProblems,
  problemOfStatus,
  type ProblemType,
} from '@app/http-errors';
import { UnauthenticatedError } from '@app/auth';

/** Returns the path to the page of an error kind, which is its `type`. */
export function problemPath({ code }: ProblemType): string {
  return `/problems/${code}`;
}

/** The reply to an unhandled error, which tells the caller nothing about the cause. */
export const unhandledReply: ErrorReply = Object.freeze({
  status: 500,
  message: 'Internal server error',
  problem: problemOfStatus(500),
});

/** The members that every problem has. */
interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: string;
}

/**
 * Returns the error for a GraphQL field. The driver sends its message, and the problem members as `extensions`. They omit the
 * page of the error kind, because clients can find it by `code`.
 */
export function fieldError(reply: ErrorReply, form: ErrorForm, requestId: string | undefined): Error {
  const { type: _type, title: _title, detail, ...extensions } = problemOf(reply, form, requestId);
  return Object.assign(new Error(detail), { extensions });
}

/** Returns the error for a microservice message: an object in Nest's form, with a problem's members. */
export function messageError(reply: ErrorReply, form: ErrorForm): object {
  const {
    type: _type,
    title: _title,
    status: statusCode,
    detail: message,
    ...rest
  } = problemOf(reply, form, undefined);
  return { status: 'error', statusCode, message, ...rest };
}

/**
 * Returns the members of a problem (RFC 9457).
 *
 * @param requestId a UUID, if the request has an id
 */
export function problemOf(reply: ErrorReply, form: ErrorForm, requestId: string | undefined): Problem {
  const instance = requestId === undefined ? undefined : `urn:uuid:${requestId}`;
  // The same whatever the cause: a difference would help an attacker.
  if (reply.status === 401) return headOf(UnauthenticatedError.problem, 'Unauthorized', instance);
  const problem = { ...problemOfReply(reply), status: sentStatus(reply, form) };
  const { params } = reply;
  const isSilent = form.ERROR_MESSAGES === 'off' && typeof reply.message !== 'string';
  if (isSilent) return headOf(problem, problem.title, instance);
  const inputProblems = reply.inputProblems?.();
  return {
    ...headOf(problem, detailOf(reply, inputProblems), instance),
    ...(params && { params }),
    ...(inputProblems && { errors: inputProblems.listed.map(shortened) }),
    ...(inputProblems && inputProblems.omitted > 0 && { omitted: inputProblems.omitted }),
  };
}

/** Returns the kind of an error; default the kind for its status. */
function problemOfReply({ status, problem = problemOfStatus(status) }: ErrorReply): ProblemType {
  return problem;
}

function headOf(problem: ProblemType, detail: string, instance: string | undefined): Problem {
  const { code, title, status } = problem;
  return { type: problemPath(problem), title, status, detail, ...(instance && { instance }), code };
}

/** Returns a problem's detail. If messages have codes, they are listed in `errors` instead. */
function detailOf({ message }: ErrorReply, inputProblems: InputProblems | undefined): string {
  if (typeof message === 'string') return shorten(message);
  if (inputProblems === undefined || message.length === 1) return shorten(message.join('; '));
  return `${inputProblems.listed.length + inputProblems.omitted} values of the request are invalid`;
}

function shortened(problem: InputProblem): InputProblem {
  return { ...problem, detail: shorten(problem.detail) };
}

/** Returns the status of a reply in a form. */
export function sentStatus(reply: ErrorReply, form: ErrorForm): number {
  return reply.status === 401 ? 401 : problemIn(form, problemOfReply(reply)).status;
}

const maxMessageLength = 500;

/** Shortens a message, because it may contain a field name from the input. It never cuts within a surrogate pair. */
export function shorten(text: string): string {
  if (text.length <= maxMessageLength) return text;
  return `${text.slice(0, maxMessageLength).replace(/[\ud800-\udbff]$/, '')}…`;
}
