/** A failed sign-in or sign-out. */
export class SessionError extends Error {
  override readonly name = 'SessionError';

  /** @param status of the response */
  constructor(
    attempt: 'sign in' | 'sign out',
    readonly status: number,
  ) {
    super(`could not ${attempt}: api answered ${status}${hints[status] ?? ''}`);
  }
}

const hints: Readonly<Record<number, string>> = {
  401: ', the username or the password is wrong',
  429: ', which means too many attempts: wait for as long as its Retry-After says',
  503: ', which means that it is unavailable or overloaded: try again',
};
