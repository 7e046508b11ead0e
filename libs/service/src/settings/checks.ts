import type { SettingsProblem } from './errors';
import type { SettingsCheck } from './read-settings';

/** A check that two settings are given together or not at all. */
export function givenTogether<A extends string, B extends string>(
  first: A,
  second: B,
): SettingsCheck<{ readonly [Name in A | B]?: unknown }> {
  return (settings) => {
    const [hasFirst, hasSecond] = [settings[first] !== undefined, settings[second] !== undefined];
    if (hasFirst === hasSecond) return undefined;
    const [missing, given] = hasFirst ? [second, first] : [first, second];
    return { name: missing, problem: `is not given, but ${given} is. Give both or neither.` };
  };
}

/** What {@link givenSecretInProduction} looks at. */
interface SecretSettings {
  readonly NODE_ENV: string;
  readonly DATABASE_URL: string;
  readonly JWT_SECRET?: string;
}

/**
 * On PostgreSQL several machines may serve the same accounts; a secret that each made for itself would turn
 * away the tokens of the others. Beside a SQLite file there is one machine, and the file keeps the secret.
 */
export function givenSecretInProduction(settings: SecretSettings): SettingsProblem | undefined {
  const { NODE_ENV, DATABASE_URL, JWT_SECRET } = settings;
  if (NODE_ENV !== 'production' || DATABASE_URL.startsWith('sqlite:') || JWT_SECRET !== undefined)
    return undefined;
  return {
    name: 'JWT_SECRET',
    problem:
      'is not given, and must be with NODE_ENV=production on PostgreSQL. Make one with: openssl rand -base64 48',
  };
}
