import type { authSettings } from '@app/auth';
import type { persistenceSettings } from '@app/persistence';
import type { EnvironmentOf } from '@app/settings';
import type { listenSettings } from '../process/listen-settings';
import type { SettingsProblem } from './errors';
import type { SettingsCheck } from './read-settings';

/** Checks that two settings are either both set or both unset. */
export function givenTogether<A extends string, B extends string>(
  first: A,
  second: B,
): SettingsCheck<{ readonly [Name in A | B]?: unknown }> {
  return (settings) => {
    const [hasFirst, hasSecond] = [settings[first] !== undefined, settings[second] !== undefined];
    if (hasFirst === hasSecond) return undefined;
    const [missing, present] = hasFirst ? [second, first] : [first, second];
    return { name: missing, problem: `is not set, but ${present} is. Set both or neither.` };
  };
}

/** The settings that {@link givenSecretInProduction} checks. */
type SecretSettings = EnvironmentOf<
  Pick<typeof authSettings, 'JWT_SECRET' | 'JWT_ALGORITHM' | 'JWT_KEY_FILE'> &
    Pick<typeof persistenceSettings, 'DATABASE_URL'> &
    Pick<typeof listenSettings, 'NODE_ENV'>
>;

/**
 * Requires a secret in production on PostgreSQL, because instances with different generated secrets would reject each other's
 * tokens. SQLite has a single instance, which generates the secret into a file.
 */
export function givenSecretInProduction(settings: SecretSettings): SettingsProblem | undefined {
  const { NODE_ENV, DATABASE_URL, JWT_SECRET, JWT_ALGORITHM, JWT_KEY_FILE } = settings;
  if (NODE_ENV !== 'production' || DATABASE_URL.startsWith('sqlite:')) return undefined;
  if (JWT_SECRET === undefined) return required('JWT_SECRET', 'Generate one: openssl rand -base64 48');
  if (JWT_ALGORITHM === 'HS256' || JWT_KEY_FILE !== undefined) return undefined;
  return required('JWT_KEY_FILE', `Every program needs the same keys of ${JWT_ALGORITHM}`);
}

function required(name: string, remedy: string): SettingsProblem {
  return { name, problem: `is not set, and is required with NODE_ENV=production on PostgreSQL. ${remedy}` };
}
