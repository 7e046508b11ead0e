import type { Declarations, SettingsOf } from '@app/settings';
import { givenSecretInProduction, givenTogether } from '../settings/checks';
import { unknownNames } from '../settings/unknown-names';
import { type Environment, readSettings, type SettingsCheck } from '../settings/read-settings';

/** The settings that a program reads from the environment. */
export interface ProgramDeclarations<D extends Declarations> {
  /** Every setting. A program that runs includes `serviceSettings`. */
  readonly declarations: D;
  /** The checks that read several settings, in addition to the checks that every program has. */
  readonly checks?: readonly SettingsCheck<SettingsOf<D>>[];
}

/** The checks for every program. A check runs if the program declares the settings that it reads. */
const everyProgram: readonly SettingsCheck<object>[] = [
  ofAny(givenTogether('ADMIN_EMAIL', 'ADMIN_PASSWORD')),
  ofAny(givenTogether('SMTP_URL', 'MAIL_FROM')),
  ofAny(givenSecretInProduction),
];

/**
 * Reads a program's settings, and checks them together.
 *
 * @throws SettingsError with every problem
 */
export function readProgramSettings<const D extends Declarations>(
  { declarations, checks = [] }: ProgramDeclarations<D>,
  env: Environment,
): SettingsOf<D> {
  const unknown = unknownNames(declarations, env);
  return readSettings(declarations, env, [...everyProgram, ...checks], unknown);
}

/** Returns a check that ends when it reads a setting that the program does not declare. */
function ofAny<S>(check: SettingsCheck<S>): SettingsCheck<object> {
  return (settings) => check(Object(settings));
}
