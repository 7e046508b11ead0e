import {
  type ErrorReply,
  HttpError,
  type InputProblem,
  jsonPointer,
  problemType,
  retryLater,
  retryParams,
} from '@app/http-errors';

/** Another account has this e-mail, compared by `emailKey`. */
export class EmailTakenError extends HttpError {
  static readonly problem = problemType({
    code: 'email-taken',
    status: 409,
    title: 'Another account has this e-mail',
    remedy: 'Send another e-mail, or sign in to the account that has it.',
    namesMembers: true,
  });
  override readonly name = 'EmailTakenError';
  readonly reply: ErrorReply;

  /** @param member of the body that has the e-mail, or the token of a link to it; default `email` */
  constructor(
    message: string,
    { member = 'email', ...options }: ErrorOptions & { member?: EmailMember } = {},
  ) {
    super(message, options);
    this.reply = {
      status: 409,
      message: 'email is already taken',
      problem: EmailTakenError.problem,
      inputProblems: () => ({ listed: [takenEmail(member)], omitted: 0 }),
    };
  }
}

/** The member of a body that says which e-mail an account gets. */
export type EmailMember = 'email' | 'token';

function takenEmail(member: EmailMember): InputProblem {
  return {
    in: 'body',
    pointer: jsonPointer([member]),
    code: 'email-taken',
    params: {},
    detail: 'email is already taken',
  };
}

/** The credentials are valid, but the account is disabled. */
export class AccountDisabledError extends HttpError {
  static readonly problem = problemType({
    code: 'account-disabled',
    status: 403,
    title: 'The account is disabled',
    remedy: 'Ask an administrator to enable it.',
  });
  override readonly name = 'AccountDisabledError';
  readonly reply: ErrorReply = {
    status: 403,
    message: 'this account is disabled: ask an administrator to enable it',
    problem: AccountDisabledError.problem,
  };
}

/** The change would remove the last administrator. */
export class LastAdministratorError extends HttpError {
  static readonly problem = problemType({
    code: 'last-administrator',
    status: 409,
    title: 'This is the last administrator',
    remedy: 'Make another account an administrator first.',
  });
  override readonly name = 'LastAdministratorError';
  readonly reply: ErrorReply = {
    status: 409,
    message: 'this is the last administrator: make another account one first',
    problem: LastAdministratorError.problem,
  };
}

/** Too many failed attempts, for the account or from the address. The response does not reveal which. */
export class TooManyAttemptsError extends HttpError {
  static readonly problem = problemType({
    code: 'too-many-attempts',
    status: 429,
    title: 'Too many attempts have failed',
    remedy: 'Wait for `Retry-After` seconds. A user who has forgotten the password can reset it.',
    params: retryParams,
  });
  override readonly name = 'TooManyAttemptsError';
  readonly reply: ErrorReply;

  /** @param waitMs remaining lockout */
  constructor(waitMs: number) {
    super('Too many failed attempts. Wait, or raise the SIGN_IN_ limits.');
    this.reply = retryLater(
      TooManyAttemptsError.problem,
      'too many attempts have failed, try again later',
      waitMs,
    );
  }
}

/** Too many accounts were created from one address. */
export class TooManySignUpsError extends HttpError {
  static readonly problem = problemType({
    code: 'too-many-sign-ups',
    status: 429,
    title: 'Too many accounts were created from this address',
    remedy: 'Wait for `Retry-After` seconds.',
    params: retryParams,
  });
  override readonly name = 'TooManySignUpsError';
  readonly reply: ErrorReply;

  /** @param waitMs until the address may sign up again */
  constructor(waitMs: number) {
    super('Too many sign-ups from one address. Wait, or raise SIGN_UP_ADDRESS_LIMIT.');
    this.reply = retryLater(
      TooManySignUpsError.problem,
      'too many accounts were created from this address, try again later',
      waitMs,
    );
  }
}

/** Too many links for a new password were asked for from one address. */
export class TooManyResetsError extends HttpError {
  static readonly problem = problemType({
    code: 'too-many-resets',
    status: 429,
    title: 'Too many password resets from this address',
    remedy: 'Wait for `Retry-After` seconds.',
    params: retryParams,
  });
  override readonly name = 'TooManyResetsError';
  readonly reply: ErrorReply;

  /** @param waitMs until the address may ask again */
  constructor(waitMs: number) {
    super('Too many password resets from one address. Wait, or raise PASSWORD_RESET_ADDRESS_LIMIT.');
    this.reply = retryLater(
      TooManyResetsError.problem,
      'too many password resets from this address, try again later',
      waitMs,
    );
  }
}

/** The token of a password reset is unknown, was used, or has expired; the response does not reveal which. */
export class InvalidResetTokenError extends HttpError {
  static readonly problem = problemType({
    code: 'invalid-reset-token',
    status: 400,
    title: 'The link is not valid, was used or has expired',
    remedy: 'Ask for a new link (`POST /auth/password-resets`), and use it once, before it expires.',
  });
  override readonly name = 'InvalidResetTokenError';
  readonly reply: ErrorReply = {
    status: 400,
    message: 'this link is not valid, was used or has expired: ask for a new one',
    problem: InvalidResetTokenError.problem,
  };
}

/** Too many links that confirm an e-mail, of one account or to one e-mail. */
export class TooManyEmailLinksError extends HttpError {
  static readonly problem = problemType({
    code: 'too-many-email-links',
    status: 429,
    title: 'Too many links that confirm an e-mail were sent',
    remedy: 'Wait for `Retry-After` seconds, and use the link of the last mail.',
    params: retryParams,
  });
  override readonly name = 'TooManyEmailLinksError';
  readonly reply: ErrorReply;

  /** @param waitMs until another link may be sent */
  constructor(waitMs: number) {
    super('Too many links that confirm an e-mail. Wait, or raise EMAIL_VERIFICATION_LIMIT.');
    this.reply = retryLater(
      TooManyEmailLinksError.problem,
      'too many links to confirm an e-mail were sent, try again later',
      waitMs,
    );
  }
}

/** The token of a link about an e-mail is unknown, was used, or has expired; the response does not reveal which. */
export class InvalidEmailLinkError extends HttpError {
  static readonly problem = problemType({
    code: 'invalid-email-link',
    status: 400,
    title: 'The link is not valid, was used or has expired',
    remedy: 'Ask for a new link, and use it once, before it expires.',
  });
  override readonly name = 'InvalidEmailLinkError';
  readonly reply: ErrorReply = {
    status: 400,
    message: 'this link is not valid, was used or has expired',
    problem: InvalidEmailLinkError.problem,
  };
}

/** The e-mail of the account is verified, or the program verifies none. */
export class NothingToVerifyError extends HttpError {
  static readonly problem = problemType({
    code: 'nothing-to-verify',
    status: 409,
    title: 'There is no e-mail to verify',
    remedy: 'Nothing is to be done: the e-mail is verified, or the program verifies none.',
  });
  override readonly name = 'NothingToVerifyError';
  readonly reply: ErrorReply = {
    status: 409,
    message: 'there is no e-mail to verify',
    problem: NothingToVerifyError.problem,
  };
}

/** A session was refreshed too often within an hour. */
export class TooManyRefreshesError extends HttpError {
  static readonly problem = problemType({
    code: 'too-many-refreshes',
    status: 429,
    title: 'The session was refreshed too often',
    remedy:
      'Wait for `Retry-After` seconds. Refresh a session only when its access token is about to expire.',
    params: retryParams,
  });
  override readonly name = 'TooManyRefreshesError';
  readonly reply: ErrorReply;

  /** @param waitMs until the session may be refreshed again */
  constructor(waitMs: number) {
    super('Too many refreshes of one session. Wait, or raise REFRESH_SESSION_LIMIT.');
    this.reply = retryLater(
      TooManyRefreshesError.problem,
      'this session was refreshed too often, try again later',
      waitMs,
    );
  }
}

/** The audit log was changed. Thrown by the command that checks it. */
export class BrokenChainError extends Error {
  override readonly name = 'BrokenChainError';

  constructor(readonly faults: readonly { readonly block: number; readonly problem: string }[]) {
    const lines = faults.map(({ block, problem }) => `block ${block}: ${problem}`);
    super(`The audit log was changed:\n${lines.join('\n')}`);
  }
}

/** The account has the maximum number of API keys. */
export class TooManyKeysError extends HttpError {
  static readonly problem = problemType({
    code: 'too-many-keys',
    status: 409,
    title: 'The account has the maximum number of API keys',
    remedy: 'Delete a key that is no longer used.',
    params: { max: 'integer' },
  });
  override readonly name = 'TooManyKeysError';
  readonly reply: ErrorReply;

  constructor(readonly max: number) {
    super(`An account has at most ${max} API keys.`);
    this.reply = {
      status: 409,
      message: `this account has ${max} keys: delete one that is no longer used`,
      problem: TooManyKeysError.problem,
      params: { max },
    };
  }
}

/** The caller has no session with this id. */
export class NoSuchSessionError extends HttpError {
  static readonly problem = problemType({
    code: 'no-such-session',
    status: 404,
    title: 'The caller has no such session',
    remedy: 'List the sessions (`GET /auth/sessions`): it may have ended already.',
  });
  override readonly name = 'NoSuchSessionError';
  readonly reply: ErrorReply = {
    status: 404,
    message: 'there is no such session',
    problem: NoSuchSessionError.problem,
  };
}

/** The log of revocations could not be read for longer than the lifetime of a token, so no token can be checked. */
export class RevocationsUnknownError extends HttpError {
  static readonly problem = problemType({
    code: 'revocations-unknown',
    status: 503,
    title: 'The service cannot tell at present who is signed in',
    remedy: 'Repeat the request after `Retry-After` seconds.',
    params: retryParams,
  });
  override readonly name = 'RevocationsUnknownError';
  readonly reply: ErrorReply = retryLater(
    RevocationsUnknownError.problem,
    'the service cannot tell at present who is signed in, try again shortly',
    2000,
  );
}
