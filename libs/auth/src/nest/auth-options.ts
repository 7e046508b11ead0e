import type { InjectionToken, ModuleMetadata, OptionalFactoryDependency } from '@nestjs/common';
import type { Answer } from '@app/refusals';
import type { Strategy } from '../strategies/strategy';
import type { StrategiesByName } from './strategies-by-name';

/** Says what to answer to something a check threw; `undefined` leaves it to the next, and at last to 401. */
export type Refusal = (error: unknown) => Answer | undefined;

/** What the guard works with. */
export interface AuthOptions {
  /** The first is the default; names differ. */
  readonly strategies: readonly Strategy[];
  /** The roles that callers can have; a route that asks for another ends the start. Any name will do, unless given. */
  readonly roles?: readonly string[];
  /** Asked in order when a check throws; without one, whatever is thrown is a 401. */
  readonly refusals?: readonly Refusal[];
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
 * A refusal by class of error, such as 403 for a disabled account.
 *
 * @param answer what to say; may be left out for a class whose errors carry their own `answer`
 */
export function refuseWith(errorClass: ErrorClass<Error & { readonly answer: Answer }>): Refusal;
export function refuseWith(errorClass: ErrorClass<Error>, answer: Answer): Refusal;
export function refuseWith(
  errorClass: ErrorClass<Error & { readonly answer?: Answer }>,
  answer?: Answer,
): Refusal {
  return (error) => (error instanceof errorClass ? (answer ?? error.answer) : undefined);
}
