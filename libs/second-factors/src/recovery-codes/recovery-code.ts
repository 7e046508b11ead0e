import { createHash, randomBytes } from 'node:crypto';

/** The number of codes that an account gets. */
const CODES = 10;
const GROUPS = 4;
/** The alphabet of Crockford's base32, which omits letters that look like digits. Each character has five bits. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * Makes ten codes, such as `x7k2mq-04tzcd-9hbvwe-1rsy5n`. Each code has 120 random bits, so that a plain hash reveals nothing.
 *
 * @see NIST SP 800-63B-4 §3.1.2 (look-up secrets)
 */
export function makeRecoveryCodes(): string[] {
  return Array.from({ length: CODES }, makeCode);
}

function makeCode(): string {
  return Array.from({ length: GROUPS }, makeGroup).join('-');
}

function makeGroup(): string {
  return Array.from(randomBytes(6), (byte) => ALPHABET.charAt(byte & 31)).join('');
}

/** Returns a code's hash for an account. Case, spaces and dashes are ignored, and letters like digits count as digits. */
export function recoveryCodeHash(accountId: number, code: string): string {
  const normal = code.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll('o', '0').replaceAll(/[il]/g, '1');
  return createHash('sha256').update(`recovery code of ${accountId}: ${normal}`).digest('base64url');
}
