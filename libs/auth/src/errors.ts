import { type ErrorReply, HttpError } from '@app/http-errors';

const UNAUTHORIZED: ErrorReply = Object.freeze({
  status: 401,
  message: 'Unauthorized',
  headers: Object.freeze({ 'WWW-Authenticate': 'Bearer' }),
});

/**
 * Nobody we know is asking. Every cause looks the same from outside; `cause` is for the log.
 *
 * @see RFC 9110 §11.6.1 (a 401 names its scheme), RFC 6750 §3
 */
export class UnauthenticatedError extends HttpError {
  override readonly name = 'UnauthenticatedError';
  readonly reply = UNAUTHORIZED;

  constructor(options?: ErrorOptions) {
    super('The request carries no valid credentials.', options);
  }
}

/** We know who asks, and they may not. The guard throws it for want of a role, an application for its own reasons. */
export class ForbiddenError extends HttpError {
  override readonly name = 'ForbiddenError';
  readonly reply: ErrorReply;

  /** @param reason what the caller is told: who may do this */
  constructor(reason: string, options?: ErrorOptions) {
    super('The caller is known and may not do this.', options);
    this.reply = { status: 403, message: reason };
  }
}

/** A check threw, and one of the guard's `checkErrors` said what to reply; the thrown error is the `cause`. */
export class CallerRejectedError extends HttpError {
  override readonly name = 'CallerRejectedError';

  constructor(
    readonly reply: ErrorReply,
    options?: ErrorOptions,
  ) {
    super(`The application's check refused the caller with ${reply.status}.`, options);
  }
}

/** More passwords are waiting to be hashed than can be hashed in time. */
export class HashingBusyError extends HttpError {
  override readonly name = 'HashingBusyError';
  readonly reply: ErrorReply;

  /** @param retryAfterSeconds when it is worth trying again, in whole seconds */
  constructor(readonly retryAfterSeconds: number) {
    super('Too many passwords are waiting to be hashed. Try again, or raise what Passwords may run at once.');
    this.reply = {
      status: 503,
      message: 'The service is busy, try again later',
      headers: { 'Retry-After': String(retryAfterSeconds) },
    };
  }
}

/** A route asks for a strategy that nobody registered. Ends the start. */
export class UnknownStrategyError extends TypeError {
  override readonly name = 'UnknownStrategyError';

  constructor(
    /** `Controller.handler` */
    readonly route: string,
    readonly strategy: string,
    readonly registered: readonly string[],
  ) {
    super(
      `${route} asks for the strategy '${strategy}', which is not registered. ` +
        `Registered: ${registered.join(', ')}. Correct its @UseStrategy(), or give AuthModule that strategy.`,
    );
  }
}

/** A route asks for a role that no caller can have. Ends the start. */
export class UnknownRoleError extends TypeError {
  override readonly name = 'UnknownRoleError';

  constructor(
    /** `Controller.handler` */
    readonly route: string,
    readonly role: string,
    readonly known: readonly string[],
  ) {
    super(
      `${route} asks for the role '${role}', which no caller can have. Roles: ${known.join(', ')}. Correct its @Roles().`,
    );
  }
}

/** A route is marked public and, at least as near, asks for a caller. Ends the start. */
export class ContradictoryRouteError extends TypeError {
  override readonly name = 'ContradictoryRouteError';

  constructor(
    /** `Controller.handler` */
    readonly route: string,
    /** The decorator that asks for a caller, such as `@Roles()`. */
    readonly demand: string,
  ) {
    super(
      `${route} is public and carries ${demand}, which nobody would check. ` +
        `Close it with @Public(false), or remove ${demand}.`,
    );
  }
}

/** Two strategies would take each other's tokens. Ends the start. */
export class InterchangeableTokensError extends TypeError {
  override readonly name = 'InterchangeableTokensError';

  constructor(readonly strategies: readonly [string, string]) {
    super(
      `The strategies '${strategies.join("' and '")}' share a secret and a token type, ` +
        `so that a token of one passes for the other. Give each a secret or a type of its own.`,
    );
  }
}

/** The file that keeps the secret cannot be used as it is. */
export class SecretFileError extends Error {
  override readonly name = 'SecretFileError';

  constructor(
    readonly path: string,
    /** What is wrong and what to do, without the secret. */
    readonly fault: string,
    options?: ErrorOptions,
  ) {
    super(`The secret file ${path} ${fault}`, options);
  }
}
