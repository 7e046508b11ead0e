import type { z } from 'zod';
import { scrub } from '../logs/scrub';
import { type Declarations, declared, isSecret, type SettingsOf } from './declaration';
import { SettingsError, type SettingsProblem } from './errors';

/** A rule about several settings; it looks at them once each is right by itself. */
export type SettingsCheck<S> = (settings: S) => SettingsProblem | undefined;

/**
 * Reads settings from an environment, once, for the whole program. An empty variable counts as not given.
 *
 * @param checks rules about several settings at once; one that reads a setting which is itself wrong says nothing
 * @returns the values, frozen
 * @throws SettingsError with every problem there is
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

/** Reading a setting that is wrong ends the check: its problem is told already. */
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
  if (text === undefined) return `is not given, and there is no default for it.${example}`;
  const given = isSecret(name, schema) ? '' : ` (it is ${quoted(text)})`;
  const faults = error.issues.map(({ message }) => message.replaceAll(/\s+/g, ' '));
  return `${faults.join(', and ')}${given}.${example}`;
}

/** One line, whatever was given: quoted, cut, and without the password that a URL may hold. */
function quoted(text: string): string {
  const short = text.length > 80 ? `${text.slice(0, 80)}…` : text;
  return JSON.stringify(scrub(short));
}
