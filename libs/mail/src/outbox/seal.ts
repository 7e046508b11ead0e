import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Keys with 32 bytes. The first key encrypts; all keys decrypt. */
export type SealKeys = readonly [KeyObject, ...KeyObject[]];

/**
 * Encrypts a text, so that a reader of the store, or of a backup, cannot use the credentials in it.
 *
 * @param context the purpose of the text; decryption requires the same context
 * @see NIST SP 800-38D
 */
export function seal(text: string, [key]: SealKeys, context = ''): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(context));
  const sealed = Buffer.concat([cipher.update(text), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
}

/** @returns `undefined` if the text was encrypted with an unknown key or for a different context, or was changed */
export function unseal(sealed: string, keys: SealKeys, context = ''): string | undefined {
  const bytes = Buffer.from(sealed, 'base64');
  for (const key of keys) {
    const text = decrypted(bytes, key, context);
    if (text !== undefined) return text;
  }
  return undefined;
}

function decrypted(bytes: Buffer, key: KeyObject, context: string): string | undefined {
  try {
    const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES));
    decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
    return Buffer.concat([text, decipher.final()]).toString();
  } catch {
    return undefined;
  }
}
