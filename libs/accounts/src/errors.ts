import { type ErrorReply, HttpError, retryLater } from '@app/http-errors';

/** Another account has this e-mail, compared by `emailKey`. */
export class EmailTakenError extends HttpError {
  override readonly name = 'EmailTakenError';
  readonly reply: ErrorReply = { status: 409, message: 'email is already taken' };
}

/** The credentials are valid, but the account is disabled. */
export class AccountDisabledError extends HttpError {
  override readonly name = 'AccountDisabledError';
  readonly reply: ErrorReply = {
    status: 403,
    message: 'this account is disabled: ask an administrator to enable it',
  };
}

/** The change would remove the last administrator. */
export class LastAdministratorError extends HttpError {
  override readonly name = 'LastAdministratorError';
  readonly reply: ErrorReply = {
    status: 409,
    message: 'this is the last administrator: make another account one first',
  };
}

/** Too many failed attempts, for the account or from the address. The response does not reveal which. */
export class TooManyAttemptsError extends HttpError {
  override readonly name = 'TooManyAttemptsError';
  readonly reply: ErrorReply;

  /** @param waitMs remaining lockout */
  constructor(waitMs: number) {
    super('Too many failed attempts. Wait, or raise the SIGN_IN_ limits.');
    this.reply = retryLater(429, 'too many attempts have failed, try again later', waitMs);
  }
}

/** Too many accounts were created from one address. */
export class TooManySignUpsError extends HttpError {
  override readonly name = 'TooManySignUpsError';
  readonly reply: ErrorReply;

  /** @param waitMs until the address may sign up again */
  constructor(waitMs: number) {
    super('Too many sign-ups from one address. Wait, or raise SIGN_UP_ADDRESS_LIMIT.');
    this.reply = retryLater(429, 'too many accounts were created from this address, try again later', waitMs);
  }
}

/** Too many links for a new password were asked for from one address. */
export class TooManyResetsError extends HttpError {
  override readonly name = 'TooManyResetsError';
  readonly reply: ErrorReply;

  /** @param waitMs until the address may ask again */
  constructor(waitMs: number) {
    super('Too many password resets from one address. Wait, or raise PASSWORD_RESET_ADDRESS_LIMIT.');
    this.reply = retryLater(429, 'too many password resets from this address, try again later', waitMs);
  }
}

/** The token of a password reset is unknown, was used, or has expired; the response does not reveal which. */
export class InvalidResetTokenError extends HttpError {
  override readonly name = 'InvalidResetTokenError';
  readonly reply: ErrorReply = {
    status: 400,
    message: 'this link is not valid, was used or has expired: ask for a new one',
  };
}

/** Too many links that confirm an e-mail, of one account or to one e-mail. */
export class TooManyEmailLinksError extends HttpError {
  override readonly name = 'TooManyEmailLinksError';
  readonly reply: ErrorReply;

  /** @param waitMs until another link may be sent */
  constructor(waitMs: number) {
    super('Too many links that confirm an e-mail. Wait, or raise EMAIL_VERIFICATION_LIMIT.');
    this.reply = retryLater(429, 'too many links to confirm an e-mail were sent, try again later', waitMs);
  }
}

/** The token of a link about an e-mail is unknown, was used, or has expired; the response does not reveal which. */
export class InvalidEmailLinkError extends HttpError {
  override readonly name = 'InvalidEmailLinkError';
  readonly reply: ErrorReply = { status: 400, message: 'this link is not valid, was used or has expired' };
}

/** The e-mail of the account is verified, or the program verifies none. */
export class NothingToVerifyError extends HttpError {
  override readonly name = 'NothingToVerifyError';
  readonly reply: ErrorReply = { status: 409, message: 'there is no e-mail to verify' };
}

/** A session was refreshed too often within an hour. */
export class TooManyRefreshesError extends HttpError {
  override readonly name = 'TooManyRefreshesError';
  readonly reply: ErrorReply;

  /** @param waitMs until the session may be refreshed again */
  constructor(waitMs: number) {
    super('Too many refreshes of one session. Wait, or raise REFRESH_SESSION_LIMIT.');
    this.reply = retryLater(429, 'this session was refreshed too often, try again later', waitMs);
  }
}

/** The account has the maximum number of API keys. */
export class TooManyKeysError extends HttpError {
  override readonly name = 'TooManyKeysError';
  readonly reply: ErrorReply;

  constructor(readonly max: number) {
    super(`An account has at most ${max} API keys.`);
    this.reply = { status: 409, message: `this account has ${max} keys: delete one that is no longer used` };
  }
}

/** The caller has no session with this id. */
export class NoSuchSessionError extends HttpError {
  override readonly name = 'NoSuchSessionError';
  readonly reply: ErrorReply = { status: 404, message: 'there is no such session' };
}

/** The log of revocations could not be read for longer than the lifetime of a token, so no token can be checked. */
export class RevocationsUnknownError extends HttpError {
  override readonly name = 'RevocationsUnknownError';
  readonly reply: ErrorReply = retryLater(
    503,
    'the service cannot tell at present who is signed in, try again shortly',
    2000,
  );
}
