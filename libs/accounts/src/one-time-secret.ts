import { createHash, randomBytes } from 'node:crypto';

const RANDOM_BYTES = 27;
const CHECKSUM_BYTES = 5;
/** 32 bytes in base64url. */
const FORMAT = /^[\w-]{43}$/;

/** Makes a secret for one use: 216 random bits and a checksum, by which the secret is recognized as ours. */
export function makeOneTimeSecret(): string {
  const random = randomBytes(RANDOM_BYTES);
  return Buffer.concat([random, checksumOf(random)]).toString('base64url');
}

/** Whether a text has the form and the checksum of a one-time secret; a random text has it once in 10^12. */
export function isOneTimeSecret(text: string): boolean {
  if (!FORMAT.test(text)) return false;
  const bytes = Buffer.from(text, 'base64url');
  return checksumOf(bytes.subarray(0, RANDOM_BYTES)).equals(bytes.subarray(RANDOM_BYTES));
}

function checksumOf(random: Uint8Array): Buffer {
  return createHash('sha256').update('one-time secret').update(random).digest().subarray(0, CHECKSUM_BYTES);
}
