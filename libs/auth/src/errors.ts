import { type ErrorReply, HttpError, httpError, retryParams } from '@app/http-errors';

/**
 * The request is not authenticated. The response is the same for every cause; `cause` is for the log.
 *
 * @see RFC 9110 §11.6.1 (a 401 names its scheme), RFC 6750 §3
 */
export const UnauthenticatedError = httpError('UnauthenticatedError', 401, 'unauthorized', {
  title: 'Valid credentials are missing',
  remedy:
    'Sign in, and send the access token as `Authorization: Bearer <token>`. Every cause has the same response.',
  log: 'The request carries no valid credentials.',
  reply: (options?: ErrorOptions) => ({
    message: 'Unauthorized',
    headers: { 'WWW-Authenticate': 'Bearer' },
    ...options,
  }),
});

/** The caller is authenticated but not permitted. Thrown by the guard for a missing role, and by applications. */
export const ForbiddenError = httpError('ForbiddenError', 403, 'forbidden', {
  title: 'The caller may not do this',
  remedy: 'Sign in as a permitted caller, as `detail` says.',
  log: 'The caller is not permitted to do this.',
  /** @param reason the response message, which says who may do this */
  reply: (reason: string, options?: ErrorOptions) => ({ message: reason, ...options }),
});

/** The caller is restricted to scopes that do not include the route's scopes (RFC 6750 §3.1). */
export const InsufficientScopeError = httpError('InsufficientScopeError', 403, 'insufficient-scope', {
  title: 'The credential lacks the scopes of the route',
  remedy: 'Use a credential with the scopes in `params.scopes`.',
  params: { scopes: 'strings' },
  log: 'The credential of the caller is restricted to other scopes. Use one that has those of the route.',
  reply: (scopes: readonly string[]) => ({
    message:
      scopes.length === 1 ? `the scope ${scopes[0]} is needed` : `the scopes ${scopes.join(', ')} are needed`,
    headers: { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scopes.join(' ')}"` },
    params: { scopes },
  }),
});

/** Somebody else knows the caller's password, so it must be changed first. The message is fixed, because clients react to it. */
export const PasswordChangeRequiredError = httpError(
  'PasswordChangeRequiredError',
  403,
  'password-change-required',
  {
    title: 'The password must be changed first',
    remedy:
      'Ask the user for a new password, and set it (`POST /auth/password-changes`); until then the user can only sign out.',
    log: 'The password of the caller was generated, or set by an administrator. Change it first.',
    reply: 'the password must be changed first',
  },
);

/** A check threw an error that the guard's `checkErrors` map to a reply. The thrown error is the `cause`. */
export class CallerRejectedError extends HttpError {
  override readonly name = 'CallerRejectedError';

  constructor(
    readonly reply: ErrorReply,
    options?: ErrorOptions,
  ) {
    super(`The application's check rejected the caller with ${reply.status}.`, options);
  }
}

const passwordFaults = {
  common: 'this password is one of the most common ones: choose another',
  context: 'this password is hardly more than your e-mail or the name of this service: choose another',
  breached: 'this password is known from a data breach: choose another',
};

/** A new password is common, little more than words from its context, or known from a breach. */
export const CommonPasswordError = httpError('CommonPasswordError', 400, 'common-password', {
  title: 'The password is easy to guess',
  remedy: 'Choose another password. `detail` says why.',
  log: 'The password is common, of its context or breached. Choose another, or set PASSWORD_LIST=off and no PASSWORD_RANGE_URL.',
  reply: (fault: keyof typeof passwordFaults) => passwordFaults[fault],
});

/** The queue of password hashing is full, or its deadline has passed. */
export const SignInOverloadError = httpError('SignInOverloadError', 503, 'sign-in-overload', {
  title: 'Too many passwords are being checked at present',
  remedy: 'Repeat the request after `Retry-After` seconds.',
  params: retryParams,
  log: 'The password hashing queue is full. Retry later, or raise the limits of Passwords.',
  reply: (waitMs: number) => ({ message: 'The service is busy, try again later', waitMs }),
});

/** A route names a strategy that is not registered. Thrown at startup. */
export class UnknownStrategyError extends TypeError {
  override readonly name = 'UnknownStrategyError';

  constructor(
    /** The route as `Controller.handler`. */
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
    /** The route as `Controller.handler`. */
    readonly route: string,
    readonly role: string,
    readonly roles: readonly string[],
  ) {
    super(
      `${route} requires the role '${role}', which does not exist. Roles: ${roles.join(', ')}. Correct its @Roles().`,
    );
  }
}

/** A route requires a scope that does not exist. Thrown at startup. */
export class UnknownScopeError extends TypeError {
  override readonly name = 'UnknownScopeError';

  constructor(
    /** The route as `Controller.handler`. */
    readonly route: string,
    readonly scope: string,
    readonly scopes: readonly string[],
  ) {
    super(
      `${route} requires the scope '${scope}', which does not exist. Scopes: ${scopes.join(', ')}. Correct its @Scopes().`,
    );
  }
}

/** A route has `@Scopes()`, but its strategies only find callers that have no scopes. Thrown at startup. */
export class UnenforcedScopesError extends TypeError {
  override readonly name = 'UnenforcedScopesError';

  constructor(
    /** The route as `Controller.handler`. */
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
    /** The route as `Controller.handler`. */
    readonly route: string,
    /** The decorator, such as `@Roles()`. */
    readonly decorator: string,
  ) {
    super(
      `${route} is public and has ${decorator}, which would not be enforced. ` +
        `Add @Public(false), or remove ${decorator}.`,
    );
  }
}

/** A route has an optional caller and a strategy that cannot detect credentials in a request. Thrown at startup. */
export class UndetectableCredentialsError extends TypeError {
  override readonly name = 'UndetectableCredentialsError';

  constructor(
    /** The route as `Controller.handler`. */
    readonly route: string,
    readonly strategy: string,
  ) {
    super(
      `The caller of ${route} is optional, and its strategy '${strategy}' cannot tell a request with invalid credentials ` +
        `from one without any. Give the strategy a scheme, or hasCredentials.`,
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
