import type { z } from 'zod';
import { redact } from '../logs/redact';
import { type Declarations, declared, findSets, isSecret, type SettingsOf } from '@app/settings';
import { SettingsError, type SettingsProblem } from './errors';

/** A check of several settings. It is skipped if it reads a setting that is invalid or undeclared. */
export type SettingsCheck<S> = (settings: S) => SettingsProblem | undefined;

/**
 * Reads settings from an environment, once, for the whole program. An empty variable counts as not set.
 *
 * @param checks checks of several settings
 * @param earlierProblems  problems that were found before, which are reported with the rest
 * @returns the values, frozen
 * @throws SettingsError with every problem
 */
export function readSettings<const D extends Declarations>(
  declarations: D,
  env: Environment,
  checks: readonly SettingsCheck<SettingsOf<D>>[] = [],
  earlierProblems: readonly SettingsProblem[] = [],
): SettingsOf<D> {
  const problems = [...earlierProblems];
  const settings: SettingsOf<D> = Object.create(null);
  for (const [name, schema] of Object.entries(declarations)) {
    const { members } = declared(schema);
    const value = members ? readSets(name, members, env, problems) : readOne(name, schema, env, problems);
    Object.assign(settings, { [name]: value });
  }
  problems.push(
    ...withoutNeeded(declarations, settings, env, problems),
    ...crossCheck(settings, problems, checks),
  );
  if (problems.length > 0) throw new SettingsError(problems);
  return Object.freeze(settings);
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads a setting. @param problems receives the problem, if the setting is invalid */
function readOne(name: string, schema: z.ZodType, env: Environment, problems: SettingsProblem[]): unknown {
  const text = env[name] === '' ? undefined : env[name];
  const { data, error } = schema.safeParse(text);
  if (error) problems.push({ name, problem: describe(name, schema, text, error) });
  return data;
}

/** Reads a family of settings like {@link readOne}. */
function readSets(
  family: string,
  members: Declarations,
  env: Environment,
  problems: SettingsProblem[],
): readonly object[] {
  const variables = Object.keys(env).filter((name) => (env[name] ?? '') !== '');
  const { names, unknown } = findSets(family, members, variables);
  const memberNames = Object.keys(members).map((member) => `${family}_${member}`);
  for (const name of unknown)
    problems.push({ name, problem: `is not a setting: there are ${memberNames.join(', ')}.` });
  return names.map((name) => {
    const set = Object.entries(members).map(([member, schema]) => {
      const variable = `${family.replace('<NAME>', name)}_${member}`;
      return [member, readOne(variable, schema, env, problems)] as const;
    });
    return Object.freeze({ ...Object.fromEntries(set), name: name.toLowerCase().replaceAll('_', '-') });
  });
}

/** Finds settings that have no effect, because the setting that they need is off or the database is a different kind. */
function withoutNeeded(
  declarations: Declarations,
  settings: Readonly<Record<string, unknown>>,
  env: Environment,
  wrong: readonly SettingsProblem[],
): readonly SettingsProblem[] {
  const isOff = (name: string) => [undefined, false, 'off'].some((value) => settings[name] === value);
  const isOnSqlite = String(settings.DATABASE_URL).startsWith('sqlite:');
  return Object.entries(declarations).flatMap(([name, schema]) => {
    const { needs, isForPostgres } = declared(schema);
    if ((env[name] ?? '') === '' || isOff(name)) return [];
    if (isForPostgres === true && isOnSqlite) {
      const remedy = `Remove ${name}, or set DATABASE_URL to PostgreSQL.`;
      return [{ name, problem: `has no effect: DATABASE_URL is a SQLite file. ${remedy}` }];
    }
    if (needs === undefined || !(needs in settings)) return [];
    if (!isOff(needs) || wrong.some((problem) => problem.name === needs)) return [];
    return [{ name, problem: `has no effect without ${needs}. Set ${needs}, or remove ${name}.` }];
  });
}

/** Runs the checks. A check ends when it reads a setting that is missing, or invalid and therefore already reported. */
function crossCheck<S extends object>(
  settings: S,
  wrong: readonly SettingsProblem[],
  checks: readonly SettingsCheck<S>[],
): SettingsProblem[] {
  const unread = new Set<string | symbol>(wrong.map(({ name }) => name));
  const guarded = new Proxy(settings, {
    get(target, name, receiver): unknown {
      if (unread.has(name) || !(name in target)) throw new WrongSettingRead();
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
  const currentValue = isSecret(name, schema) ? '' : ` (it is ${quoted(text)})`;
  const faults = error.issues.map(({ message }) => message.replaceAll(/\s+/g, ' '));
  return `${faults.join(', and ')}${currentValue}.${example}`;
}

/** Quotes a value on a single line, truncated, and without the password in a URL. */
function quoted(text: string): string {
  const short = text.length > 80 ? `${text.slice(0, 80)}…` : text;
  return JSON.stringify(redact(short));
}
