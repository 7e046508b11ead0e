import { type ErrorReply, HttpError } from '@app/http-errors';

/** Another account has this e-mail already, in whatever case it was written. */
export class EmailTakenError extends HttpError {
  override readonly name = 'EmailTakenError';
  readonly reply: ErrorReply = { status: 409, message: 'email is already taken' };
}

/** The account is known and the proof was right, but an operator has closed it. */
export class AccountDisabledError extends HttpError {
  override readonly name = 'AccountDisabledError';
  readonly reply: ErrorReply = {
    status: 403,
    message: 'this account is disabled: ask an administrator to enable it',
  };
}

/** The change would leave nobody who can administer the service. */
export class LastAdministratorError extends HttpError {
  override readonly name = 'LastAdministratorError';
  readonly reply: ErrorReply = {
    status: 409,
    message: 'this is the last administrator: make another account one first',
  };
}

/** Too many attempts have failed, for this account or from this address. Says the same whichever it was. */
export class TooManyAttemptsError extends HttpError {
  override readonly name = 'TooManyAttemptsError';
  readonly reply: ErrorReply;

  /** @param waitMs when the next attempt will be heard, in milliseconds from now */
  constructor(readonly waitMs: number) {
    super('Too many attempts have failed of late. Wait, or raise the SIGN_IN_ limits.');
    this.reply = {
      status: 429,
      message: 'too many attempts have failed, try again later',
      headers: { 'Retry-After': String(Math.max(1, Math.ceil(waitMs / 1000))) },
    };
  }
}

/** An account has as many keys as it may have. */
export class TooManyKeysError extends HttpError {
  override readonly name = 'TooManyKeysError';
  readonly reply: ErrorReply;

  constructor(readonly most: number) {
    super(`An account has ${most} keys at most.`);
    this.reply = { status: 409, message: `this account has ${most} keys: end one that is no longer used` };
  }
}

/** The caller has no session of that number. */
export class NoSuchSessionError extends HttpError {
  override readonly name = 'NoSuchSessionError';
  readonly reply: ErrorReply = { status: 404, message: 'there is no such session' };
}

/** For longer than a token lives nobody could tell us which were ended: no token can be trusted, and none is refuted. */
export class RevocationsUnknownError extends HttpError {
  override readonly name = 'RevocationsUnknownError';
  readonly reply: ErrorReply = {
    status: 503,
    message: 'the service cannot tell at present who is signed in, try again shortly',
    headers: { 'Retry-After': '2' },
  };
}
