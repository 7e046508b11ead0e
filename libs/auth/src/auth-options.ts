import type { ErrorReply } from '@app/http-errors';
import { CallerRejectedError } from './errors';
import type { GuardedCaller } from './facets/facet';
import type { Strategy } from './strategies/strategy';
import type { StrategiesByName } from './strategies/strategies-by-name';

/** Maps an error thrown by a check to the error to reply with; `undefined` passes it to the next rule, and finally to 401. */
export type CheckErrorRule = (error: unknown) => Error | undefined;

/** A request whose caller is known, and may not do what it asks for. */
export interface RefusedAccess {
  readonly caller: GuardedCaller;
  /** A ForbiddenError, an InsufficientScopeError, or the error of a facet. */
  readonly error: unknown;
  /** `Controller.handler` */
  readonly route: string;
  /** The remote address; `undefined` for a message of a connection. */
  readonly ip: string | undefined;
}

/** Options of {@link AuthModule}. */
export interface AuthOptions {
  /** The first is the default; names are unique. */
  readonly strategies: readonly Strategy[];
  /** The existing roles; a route that requires another fails the start. By default not checked. */
  readonly roles?: readonly string[];
  /** The existing scopes besides `read` and `write`; a route that requires another fails the start. By default not checked. */
  readonly scopes?: readonly string[];
  /** Applied in order when a check throws; by default every thrown error is a 401. */
  readonly checkErrors?: readonly CheckErrorRule[];
  /**
   * Called with unexpected errors of a check, for which the response is a 401. Default: logged by Nest's `Logger`.
   *
   * @param strategy the name of the strategy
   */
  readonly onCheckError?: (error: unknown, strategy: string) => void;
  /** Called with each 403 of the guard for a missing role or scope, or by a facet. Must not throw. */
  readonly onRefused?: (refused: RefusedAccess) => void;
}

/** The options with strategies by name. */
export interface ResolvedAuthOptions extends Omit<AuthOptions, 'strategies'> {
  readonly strategies: StrategiesByName;
}

/** Injection token of the {@link ResolvedAuthOptions}. */
export const AUTH_OPTIONS = Symbol('sluice.auth-options');

type ErrorClass<E extends Error> = abstract new (...args: never[]) => E;

/**
 * Maps an error class to a reply, such as 403 for a disabled account.
 *
 * @param reply optional for an `HttpError`, which has its own, and for an error that the exception filter handles
 */
export function replyWith(errorClass: ErrorClass<Error>, reply?: ErrorReply): CheckErrorRule {
  return (error) => {
    if (!(error instanceof errorClass)) return undefined;
    return reply ? new CallerRejectedError(reply, { cause: error }) : error;
  };
}
