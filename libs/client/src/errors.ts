import type { Problem } from './problems';

/** The session actions that can fail. */
export type SessionAttempt = 'sign in' | 'sign out' | 'add a passkey';

/** A failed change of a session. */
export class SessionError extends Error {
  override readonly name = 'SessionError';
  /** The response status. */
  readonly status: number;
  /** The error, unless the response came from a different server than `api`. */
  readonly problem: Problem | undefined;

  constructor(attempt: SessionAttempt, status: number, problem: Problem | undefined) {
    super(`could not ${attempt}: api answered ${status}${hints[status] ?? ''}`);
    this.status = status;
    this.problem = problem;
  }
}

const hints: Readonly<Record<number, string>> = {
  401: ', the username or the password is wrong',
  403: ', see its problem: a code of the second factor is needed, or the account is disabled',
  429: ', which means too many attempts: wait for as long as its Retry-After says',
  503: ', which means that it is unavailable or overloaded: try again',
};

/** A list that could not be read to its end. */
export class ListError extends Error {
  override readonly name = 'ListError';
  /** The response status. */
  readonly status: number;
  /** The error, unless the response came from a different server than `api`. */
  readonly problem: Problem | undefined;
  /** The body of the response, as text. */
  readonly body: string;

  constructor(path: string, status: number, body: string, problem: Problem | undefined) {
    super(`could not read ${path}: api answered ${status}`);
    this.status = status;
    this.body = body;
    this.problem = problem;
  }
}
