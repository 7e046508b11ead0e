import { type ErrorReply, HttpError, problemType, retryLater, retryParams } from '@app/http-errors';

const unauthorized = problemType({
  code: 'unauthorized',
  status: 401,
  title: 'Valid credentials are missing',
  remedy:
    'Sign in, and send the access token as `Authorization: Bearer <token>`. The response is the same whatever the cause.',
});

const UNAUTHORIZED: ErrorReply = Object.freeze({
  problem: unauthorized,
  status: 401,
  message: 'Unauthorized',
  headers: Object.freeze({ 'WWW-Authenticate': 'Bearer' }),
});

/**
 * The request is not authenticated. The response is the same for every cause; `cause` is for the log.
 *
 * @see RFC 9110 §11.6.1 (a 401 names its scheme), RFC 6750 §3
 */
export class UnauthenticatedError extends HttpError {
  static readonly problem = unauthorized;
  override readonly name = 'UnauthenticatedError';
  readonly reply = UNAUTHORIZED;

  constructor(options?: ErrorOptions) {
    super('The request carries no valid credentials.', options);
  }
}

/** The caller is authenticated but not permitted. Thrown by the guard for a missing role, and by applications. */
export class ForbiddenError extends HttpError {
  static readonly problem = problemType({
    code: 'forbidden',
    status: 403,
    title: 'The caller is not permitted to do this',
    remedy: 'Sign in as somebody who may: `detail` says who that is.',
  });
  override readonly name = 'ForbiddenError';
  readonly reply: ErrorReply;

  /** @param reason the message of the response: who may do this */
  constructor(reason: string, options?: ErrorOptions) {
    super('The caller is not permitted to do this.', options);
    this.reply = { status: 403, message: reason, problem: ForbiddenError.problem };
  }
}

/** The caller's sign-in is older than the route permits, or its time is unknown. The message is fixed: clients react to it. */
export class RecentSignInNeededError extends HttpError {
  static readonly problem = problemType({
    code: 'recent-sign-in-needed',
    status: 403,
    title: 'The sign-in is too old for this',
    remedy: 'Ask the user for the password, sign in again, and repeat the request with the new access token.',
  });
  override readonly name = 'RecentSignInNeededError';
  readonly reply: ErrorReply = {
    status: 403,
    message: 'a recent sign-in is needed',
    problem: RecentSignInNeededError.problem,
  };

  constructor() {
    super('The sign-in of the caller is too old for this route. Sign in again.');
  }
}

/** The e-mail of the caller is not verified. The message is fixed: clients react to it. */
export class VerifiedEmailNeededError extends HttpError {
  static readonly problem = problemType({
    code: 'verified-email-needed',
    status: 403,
    title: 'The e-mail of the caller is not verified',
    remedy: 'Ask the user to confirm the e-mail by the link of the mail, and repeat the request.',
  });
  override readonly name = 'VerifiedEmailNeededError';
  readonly reply: ErrorReply = {
    status: 403,
    message: 'a verified e-mail is needed',
    problem: VerifiedEmailNeededError.problem,
  };

  constructor() {
    super('The e-mail of the caller is not verified. Confirm it by the link of the mail.');
  }
}

/** The caller is restricted to scopes that do not include what the route requires. */
export class ScopeNeededError extends HttpError {
  static readonly problem = problemType({
    code: 'scope-needed',
    status: 403,
    title: 'The credential does not have the scopes of the route',
    remedy: 'Use a credential with the scopes in `params.scopes`.',
    params: { scopes: 'strings' },
  });
  override readonly name = 'ScopeNeededError';
  readonly reply: ErrorReply;

  /** @param missing the scopes that the caller does not have */
  constructor(readonly missing: readonly string[]) {
    super('The credential of the caller is restricted to other scopes. Use one that has those of the route.');
    const [scope, ...others] = missing;
    const message =
      others.length === 0 ? `scope ${scope} is needed` : `scopes ${missing.join(', ')} are needed`;
    this.reply = {
      status: 403,
      message: `the ${message}`,
      problem: ScopeNeededError.problem,
      params: { scopes: missing },
    };
  }
}

/** A check threw an error that one of the guard's `checkErrors` maps to a reply; that error is the `cause`. */
export class CallerRejectedError extends HttpError {
  override readonly name = 'CallerRejectedError';

  constructor(
    readonly reply: ErrorReply,
    options?: ErrorOptions,
  ) {
    super(`The application's check rejected the caller with ${reply.status}.`, options);
  }
}

/** A new password is on the list of the commonest. */
export class CommonPasswordError extends HttpError {
  static readonly problem = problemType({
    code: 'common-password',
    status: 400,
    title: 'The password is one of the most common ones',
    remedy: 'Choose another password.',
  });
  override readonly name = 'CommonPasswordError';
  readonly reply: ErrorReply = {
    status: 400,
    message: 'this password is one of the most common ones: choose another',
    problem: CommonPasswordError.problem,
  };

  constructor() {
    super('The password is one of the most common ones. Choose another, or set PASSWORD_LIST=off.');
  }
}

/** The queue of password hashing is full, or its deadline has passed. */
export class HashingBusyError extends HttpError {
  static readonly problem = problemType({
    code: 'sign-ins-busy',
    status: 503,
    title: 'Too many passwords are being checked at present',
    remedy: 'Repeat the request after `Retry-After` seconds.',
    params: retryParams,
  });
  override readonly name = 'HashingBusyError';
  readonly reply: ErrorReply;

  /** @param waitMs after which a retry may succeed */
  constructor(waitMs: number) {
    super('The password hashing queue is full. Retry later, or raise the limits of Passwords.');
    this.reply = retryLater(HashingBusyError.problem, 'The service is busy, try again later', waitMs);
  }
}

/** A route names a strategy that is not registered. Thrown at startup. */
export class UnknownStrategyError extends TypeError {
  override readonly name = 'UnknownStrategyError';

  constructor(
    /** `Controller.handler` */
    readonly route: string,
    readonly strategy: string,
    readonly registered: readonly string[],
  ) {
    super(
      `${route} names the strategy '${strategy}', which is not registered. ` +
        `Registered: ${registered.join(', ')}. Correct its @UseStrategy(), or register that strategy.`,
    );
  }
}

/** A route requires a role that does not exist. Thrown at startup. */
export class UnknownRoleError extends TypeError {
  override readonly name = 'UnknownRoleError';

  constructor(
    /** `Controller.handler` */
    readonly route: string,
    readonly role: string,
    readonly known: readonly string[],
  ) {
    super(
      `${route} requires the role '${role}', which does not exist. Roles: ${known.join(', ')}. Correct its @Roles().`,
    );
  }
}

/** A route requires a scope that does not exist. Thrown at startup. */
export class UnknownScopeError extends TypeError {
  override readonly name = 'UnknownScopeError';

  constructor(
    /** `Controller.handler` */
    readonly route: string,
    readonly scope: string,
    readonly known: readonly string[],
  ) {
    super(
      `${route} requires the scope '${scope}', which does not exist. Scopes: ${known.join(', ')}. Correct its @Scopes().`,
    );
  }
}

/** A route has `@Scopes()`, and none of its strategies has callers with scopes. Thrown at startup. */
export class UnenforcedScopesError extends TypeError {
  override readonly name = 'UnenforcedScopesError';

  constructor(
    /** `Controller.handler` */
    readonly route: string,
  ) {
    super(
      `${route} has @Scopes(), and no strategy whose callers have scopes, so it restricts nobody. ` +
        `Name one by @UseStrategy(), or remove @Scopes().`,
    );
  }
}

/** A route is public and also has a decorator that needs a caller, on the same level or nearer. Thrown at startup. */
export class ContradictoryRouteError extends TypeError {
  override readonly name = 'ContradictoryRouteError';

  constructor(
    /** `Controller.handler` */
    readonly route: string,
    /** Such as `@Roles()`. */
    readonly decorator: string,
  ) {
    super(
      `${route} is public and has ${decorator}, which would not be enforced. ` +
        `Add @Public(false), or remove ${decorator}.`,
    );
  }
}

/** Two strategies would accept each other's tokens. Thrown at startup. */
export class InterchangeableTokensError extends TypeError {
  override readonly name = 'InterchangeableTokensError';

  constructor(readonly strategies: readonly [string, string]) {
    super(
      `The strategies '${strategies.join("' and '")}' share a secret and a token type, ` +
        `so each would accept the other's tokens. Give each its own secret or type.`,
    );
  }
}

/** The secret file cannot be used. Aborts the start. */
export class SecretFileError extends Error {
  override readonly name = 'SecretFileError';

  constructor(
    readonly path: string,
    /** The problem and its remedy; does not contain the secret. */
    readonly fault: string,
    options?: ErrorOptions,
  ) {
    super(`The secret file ${path} ${fault}`, options);
  }
}

/** The file with the keys of tokens cannot be used. */
export class KeyFileError extends Error {
  override readonly name = 'KeyFileError';

  constructor(
    readonly path: string,
    /** The problem; does not contain a key. */
    readonly fault: string,
    options?: ErrorOptions,
  ) {
    super(`The key file ${path} ${fault}. Correct it, or set JWT_KEY_FILE.`, options);
  }
}
