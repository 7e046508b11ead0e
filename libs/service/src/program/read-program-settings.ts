import type { Declarations, SettingsOf } from '@app/settings';
import { givenSecretInProduction, givenTogether } from '../settings/checks';
import { unknownNames } from '../settings/unknown-names';
import { type Environment, readSettings, type SettingsCheck } from '../settings/read-settings';

/** What a program reads from the environment. */
export interface ProgramDeclarations<D extends Declarations> {
  /** Every setting; those of a program that runs include `serviceSettings`. */
  readonly declarations: D;
  /** Checks of several settings, beside those that every program has. */
  readonly checks?: readonly SettingsCheck<SettingsOf<D>>[];
}

/** Each runs in a program that declares the settings which it reads. */
const everyProgram: readonly SettingsCheck<object>[] = [
  ofAny(givenTogether('ADMIN_EMAIL', 'ADMIN_PASSWORD')),
  ofAny(givenTogether('SMTP_URL', 'MAIL_FROM')),
  ofAny(givenSecretInProduction),
];

/**
 * Reads the settings of a program, and checks them together.
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

/** Reading a setting that a program does not declare ends the check. */
function ofAny<S>(check: SettingsCheck<S>): SettingsCheck<object> {
  return (settings) => check(Object(settings));
}
