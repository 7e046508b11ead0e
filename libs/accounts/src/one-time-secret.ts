import { createHash, randomBytes } from 'node:crypto';

const RANDOM_BYTES = 27;
const CHECKSUM_BYTES = 5;
/** The format: 32 bytes in base64url. */
const FORMAT = /^[\w-]{43}$/;

/** Makes a secret for a single use: 216 random bits and a checksum, by which this program recognizes its secrets. */
export function makeOneTimeSecret(): string {
  const random = randomBytes(RANDOM_BYTES);
  return Buffer.concat([random, checksumOf(random)]).toString('base64url');
}

/** Returns whether a text has the form and the checksum of a one-time secret. A random text matches once in 10^12. */
export function isOneTimeSecret(text: string): boolean {
  if (!FORMAT.test(text)) return false;
  const bytes = Buffer.from(text, 'base64url');
  return checksumOf(bytes.subarray(0, RANDOM_BYTES)).equals(bytes.subarray(RANDOM_BYTES));
}

function checksumOf(random: Uint8Array): Buffer {
  return createHash('sha256').update('one-time secret').update(random).digest().subarray(0, CHECKSUM_BYTES);
}
