import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** The prefix by which people and secret scanners recognize a key. */
export const keyPrefix = 'sluice_';
const KEY_BYTES = 32;
const KEY = /^(sluice_[\w-]{43})([\w-]{6})$/;

/** Creates a key: a prefix, 256 random bits, and a checksum, by which a secret scanner recognizes a key. */
export function makeKeyText(): string {
  const body = keyPrefix + randomBytes(KEY_BYTES).toString('base64url');
  return body + checksumOf(body);
}

/** Returns whether a text looks like a key and has a valid checksum, so that a mistyped key costs no query. */
export function isKeyText(text: string): boolean {
  const [, body = '', checksum] = KEY.exec(text) ?? [];
  return checksum === checksumOf(body);
}

/** Returns the remaining text's CRC-32 as six base64url characters. */
function checksumOf(body: string): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(body));
  return bytes.toString('base64url');
}
