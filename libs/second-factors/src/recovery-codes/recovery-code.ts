import { createHash, randomBytes } from 'node:crypto';

/** How many an account gets. */
const CODES = 10;
const GROUPS = 4;
/** Crockford's base32: without letters that look like digits. Five bits each. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * Makes ten codes, such as `x7k2mq-04tzcd-9hbvwe-1rsy5n`. They have 120 random bits, so that a plain hash of one reveals nothing.
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

/** What is stored of a code: of each account another hash. Case, spaces and dashes do not count, and letters that look like digits are those. */
export function recoveryCodeHash(accountId: number, code: string): string {
  const normal = code.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll('o', '0').replaceAll(/[il]/g, '1');
  return createHash('sha256').update(`recovery code of ${accountId}: ${normal}`).digest('base64url');
}
