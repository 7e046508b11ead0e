import type { InjectionToken, ModuleMetadata, OptionalFactoryDependency } from '@nestjs/common';
import type { ErrorReply } from '@app/http-errors';
import { CallerRejectedError } from '../errors';
import type { Strategy } from '../strategies/strategy';
import type { StrategiesByName } from './strategies-by-name';

/** Says which error answers a caller whose check threw; `undefined` leaves it to the next rule, and at last to 401. */
export type CheckErrorRule = (error: unknown) => Error | undefined;

/** What the guard works with. */
export interface AuthOptions {
  /** The first is the default; names differ. */
  readonly strategies: readonly Strategy[];
  /** The roles that callers can have; a route that asks for another ends the start. Any name will do, unless given. */
  readonly roles?: readonly string[];
  /** Asked in order when a check throws; without one, whatever is thrown is a 401. */
  readonly checkErrors?: readonly CheckErrorRule[];
  /**
   * Hears of what a check threw and nobody expected, since its caller learns only 401. Nest's logger unless given.
   *
   * @param strategy the name of the strategy whose check threw
   */
  readonly onCheckError?: (error: unknown, strategy: string) => void;
}

/** How a program makes the {@link AuthOptions} from its own providers. */
export interface AuthModuleOptions {
  readonly imports?: ModuleMetadata['imports'];
  readonly inject?: (InjectionToken | OptionalFactoryDependency)[];
  // A factory's arguments are what `inject` names, which no type can follow.
  readonly useFactory: (...injected: never[]) => AuthOptions | Promise<AuthOptions>;
}

/** The options in force, their strategies registered by name. */
export interface AuthRegister extends Omit<AuthOptions, 'strategies'> {
  readonly strategies: StrategiesByName;
}

/** The token under which the {@link AuthRegister} is injected. */
export const AUTH_REGISTER = Symbol('sluice.auth-register');

type ErrorClass<E extends Error> = abstract new (...args: never[]) => E;

/**
 * A rule by class of error, such as 403 for a disabled account.
 *
 * @param reply what to send; may be left out for an `HttpError`, which has its own, and for an error that the filter knows
 */
export function replyWith(errorClass: ErrorClass<Error>, reply?: ErrorReply): CheckErrorRule {
  return (error) => {
    if (!(error instanceof errorClass)) return undefined;
    return reply ? new CallerRejectedError(reply, { cause: error }) : error;
  };
}
