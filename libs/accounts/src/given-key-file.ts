import { authSettings } from '@app/auth';
import { persistenceSettings } from '@app/persistence';
import { z } from 'zod';
import { keyFileOf } from './options';

const { JWT_ALGORITHM, JWT_KEY_FILE, ACCESS_TOKEN_TTL } = authSettings;
const settings = z.object({
  DATABASE_URL: persistenceSettings.DATABASE_URL,
  JWT_ALGORITHM,
  JWT_KEY_FILE,
  ACCESS_TOKEN_TTL,
});

/**
 * The key file of the programs with an environment, for the command that turns its keys.
 *
 * @throws TypeError if they have none
 * @throws ZodError if a setting is invalid
 */
export function givenKeyFile(env: NodeJS.ProcessEnv): { readonly path: string; readonly ttlSeconds: number } {
  const given = settings.parse(env);
  const file = keyFileOf(given);
  if (file === undefined)
    throw new TypeError('JWT_SECRET signs access tokens: set JWT_KEY_FILE, and restart the programs once');
  return { path: file.path, ttlSeconds: given.ACCESS_TOKEN_TTL };
}
