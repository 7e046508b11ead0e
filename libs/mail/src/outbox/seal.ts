import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';
import type { MailText } from '../mail';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Keys of 32 bytes: the first one encrypts, all decrypt. */
export type SealKeys = readonly [KeyObject, ...KeyObject[]];

/**
 * Encrypts the text of a mail, so that who reads the store, or a backup of it, cannot use the links in it.
 *
 * @see NIST SP 800-38D
 */
export function seal(mail: MailText, [key]: SealKeys): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce);
  const sealed = Buffer.concat([cipher.update(JSON.stringify(mail)), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
}

/** @returns `undefined` if none of the keys encrypted it, or it was changed */
export function unseal(sealed: string, keys: SealKeys): MailText | undefined {
  const bytes = Buffer.from(sealed, 'base64');
  for (const key of keys) {
    const text = decrypted(bytes, key);
    if (text !== undefined) return JSON.parse(text);
  }
  return undefined;
}

function decrypted(bytes: Buffer, key: KeyObject): string | undefined {
  try {
    const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES));
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
    return Buffer.concat([text, decipher.final()]).toString();
  } catch {
    return undefined;
  }
}
