import { authSettings } from '@app/auth';
import { persistenceSettings } from '@app/persistence';
import type { SettingsOf } from '@app/settings';
import { keyFileOf } from './options';

const { JWT_ALGORITHM, JWT_KEY_FILE, ACCESS_TOKEN_TTL } = authSettings;

/** The {@link givenKeyFile} settings. */
export const keyFileSettings = {
  DATABASE_URL: persistenceSettings.DATABASE_URL,
  JWT_ALGORITHM,
  JWT_KEY_FILE,
  ACCESS_TOKEN_TTL,
};

/**
 * Returns the key file for the command that rotates its keys.
 *
 * @throws TypeError if programs with these settings use no key file
 */
export function givenKeyFile(settings: SettingsOf<typeof keyFileSettings>): {
  readonly path: string;
  readonly ttlSeconds: number;
} {
  const file = keyFileOf(settings);
  if (file === undefined)
    throw new TypeError('JWT_SECRET signs access tokens: set JWT_KEY_FILE, and restart the programs once');
  return { path: file.path, ttlSeconds: settings.ACCESS_TOKEN_TTL };
}
