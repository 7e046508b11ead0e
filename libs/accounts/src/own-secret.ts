import { keyPrefix } from './api-keys/api-key-text';
import { isOneTimeSecret } from './one-time-secret';
import { parseRefreshToken } from './sessions/refresh-token';

/** Returns whether a text is an API key, a one-time secret or this program's refresh token, which nobody else may receive. */
export function isOwnSecret(text: string): boolean {
  return text.startsWith(keyPrefix) || isOneTimeSecret(text) || parseRefreshToken(text) !== undefined;
}
