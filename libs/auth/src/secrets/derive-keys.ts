import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import type { TokenSecrets } from '../tokens/access-tokens';

const KEY_BYTES = 32;

/**
 * Derives keys for purposes besides tokens. The keys reveal nothing about the secrets.
 *
 * @param purpose a text that is unique to this use
 * @returns the key for the current secret, then the keys for the previous secrets
 * @see RFC 5869
 */
export function deriveKeys(
  { secret, previous = [] }: TokenSecrets,
  purpose: string,
): [KeyObject, ...KeyObject[]] {
  const derive = (from: typeof secret) =>
    createSecretKey(Buffer.from(hkdfSync('sha256', from, '', purpose, KEY_BYTES)));
  return [derive(secret), ...previous.map(derive)];
}
