import type { ErrorReply } from '@app/http-errors';
import { CallerRejectedError } from './errors';
import type { FacetGate, GuardedCaller } from './facets/facet';
import type { Strategy } from './strategies/strategy';
import type { StrategiesByName } from './strategies/strategies-by-name';

/** Maps an error thrown by a check to the error to reply with; `undefined` passes it to the next rule, and finally to 401. */
export type CheckErrorRule = (error: unknown) => Error | undefined;

/** A request from a known caller that the guard refused. */
export interface RefusedAccess {
  readonly caller: GuardedCaller;
  /** A ForbiddenError, an InsufficientScopeError, or the error of a facet or its gate. */
  readonly error: unknown;
  /** The route as `Controller.handler`. */
  readonly route: string;
  /** The remote address; `undefined` for a message of a connection. */
  readonly ip: string | undefined;
}

/** Options of {@link AuthModule}. */
export interface AuthOptions {
  /** The first is the default; names are unique. */
  readonly strategies: readonly Strategy[];
  /** The existing roles. The start fails if a route requires an unknown role. By default, roles are not checked. */
  readonly roles?: readonly string[];
  /** The existing scopes besides `read` and `write`. The start fails for a route with an unknown scope. Default: unchecked. */
  readonly scopes?: readonly string[];
  /** The gates for facets that depend on the request, by facet name. */
  readonly gates?: Readonly<Record<string, FacetGate>>;
  /** Applied in order when a check throws; by default every thrown error is a 401. */
  readonly checkErrors?: readonly CheckErrorRule[];
  /**
   * Called with each unexpected error that a check throws; the response is a 401. By default, Nest's `Logger` logs the error.
   *
   * @param strategy the strategy's name
   */
  readonly onCheckError?: (error: unknown, strategy: string) => void;
  /** Called when the guard refuses a caller for a missing role or scope or by a facet. It must not throw. */
  readonly onRefused?: (refused: RefusedAccess) => void;
}

/** The options with strategies by name. */
export interface ResolvedAuthOptions extends Omit<AuthOptions, 'strategies'> {
  readonly strategies: StrategiesByName;
}

/** The injection token for {@link ResolvedAuthOptions}. */
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
