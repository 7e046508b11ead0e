import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import type { TokenSecrets } from '../tokens/access-tokens';

const KEY_BYTES = 32;

/**
 * Derives keys for another purpose than tokens, which reveal nothing of the secrets.
 *
 * @param purpose text that no other use has
 * @returns the key of the current secret, then those of the previous ones
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
