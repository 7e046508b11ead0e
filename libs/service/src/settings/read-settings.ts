import type { z } from 'zod';
import { redact } from '../logs/redact';
import { type Declarations, declared, isSecret, type SettingsOf } from '@app/settings';
import { SettingsError, type SettingsProblem } from './errors';

/** A check of several settings; it is skipped if one that it reads is invalid. */
export type SettingsCheck<S> = (settings: S) => SettingsProblem | undefined;

/**
 * Reads settings from an environment, once, for the whole program. An empty variable counts as not set.
 *
 * @param checks checks of several settings
 * @returns the values, frozen
 * @throws SettingsError with every problem
 */
export function readSettings<const D extends Declarations>(
  declarations: D,
  env: Readonly<Record<string, string | undefined>>,
  checks: readonly SettingsCheck<SettingsOf<D>>[] = [],
): SettingsOf<D> {
  const problems: SettingsProblem[] = [];
  const settings: SettingsOf<D> = Object.create(null);
  for (const [name, schema] of Object.entries(declarations)) {
    const text = env[name] === '' ? undefined : env[name];
    const result = schema.safeParse(text);
    if (result.success) Object.assign(settings, { [name]: result.data });
    else problems.push({ name, problem: describe(name, schema, text, result.error) });
  }
  problems.push(...crossCheck(settings, problems, checks));
  if (problems.length > 0) throw new SettingsError(problems);
  return Object.freeze(settings);
}

/** Reading an invalid setting ends the check: its problem is already reported. */
function crossCheck<S extends object>(
  settings: S,
  wrong: readonly SettingsProblem[],
  checks: readonly SettingsCheck<S>[],
): SettingsProblem[] {
  const unread = new Set<string | symbol>(wrong.map(({ name }) => name));
  const guarded = new Proxy(settings, {
    get(target, name, receiver): unknown {
      if (unread.has(name)) throw new WrongSettingRead();
      return Reflect.get(target, name, receiver);
    },
  });
  return checks.flatMap((check) => {
    try {
      return check(guarded) ?? [];
    } catch (error) {
      if (error instanceof WrongSettingRead) return [];
      throw error;
    }
  });
}

class WrongSettingRead extends Error {}

function describe(name: string, schema: z.ZodType, text: string | undefined, error: z.ZodError): string {
  const [first] = declared(schema).examples ?? [];
  const example = first === undefined ? '' : ` For example ${name}=${first}`;
  if (text === undefined) return `is not set and has no default.${example}`;
  const given = isSecret(name, schema) ? '' : ` (it is ${quoted(text)})`;
  const faults = error.issues.map(({ message }) => message.replaceAll(/\s+/g, ' '));
  return `${faults.join(', and ')}${given}.${example}`;
}

/** One line, whatever the value: quoted, truncated, and without the password in a URL. */
function quoted(text: string): string {
  const short = text.length > 80 ? `${text.slice(0, 80)}…` : text;
  return JSON.stringify(redact(short));
}
