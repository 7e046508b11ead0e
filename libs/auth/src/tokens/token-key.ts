import { createHmac, createSecretKey, KeyObject, timingSafeEqual } from 'node:crypto';
import { writeSegment } from './segments';

/** RFC 7518 §3.2: a key for HS256 has at least as many bits as the hash. */
export const MIN_SECRET_BYTES = 32;

/** A secret in the form that costs least: a string would be turned into a key for every token. */
export interface TokenKey {
  /** Names the key in the header; tells nothing about it that a signature does not. */
  readonly kid: string;
  readonly key: KeyObject;
  /** The header segment of every token that this key signs. */
  readonly header: string;
}

/**
 * Makes the key for one secret and one kind of token.
 *
 * @param secret the bytes, or text whose UTF-8 bytes count
 * @throws TypeError if it is shorter than {@link MIN_SECRET_BYTES}
 */
export function makeTokenKey(secret: string | Uint8Array | KeyObject, type: string): TokenKey {
  const key = secret instanceof KeyObject ? secret : keyOf(secret);
  if ((key.symmetricKeySize ?? 0) < MIN_SECRET_BYTES) {
    throw new TypeError(`A secret for HS256 has at least ${MIN_SECRET_BYTES} bytes.`);
  }
  const kid = hmac(key, 'key id').slice(0, 11);
  return { kid, key, header: writeSegment({ alg: 'HS256', typ: type, kid }) };
}

function keyOf(secret: string | Uint8Array): KeyObject {
  return typeof secret === 'string' ? createSecretKey(secret, 'utf8') : createSecretKey(secret);
}

/** The third segment of a token: HMAC-SHA-256 in base64url. */
export function signatureOf({ key }: TokenKey, signingInput: string): string {
  return hmac(key, signingInput);
}

/**
 * Compares the signature as text, in constant time, with the one we would have written: no other spelling of
 * the same bytes passes.
 */
export function hasSignature(key: TokenKey, signingInput: string, signature: string): boolean {
  const expected = Buffer.from(signatureOf(key, signingInput));
  // As UTF-8, because Latin-1 would fold characters beyond its range into ones that pass.
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function hmac(key: KeyObject, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url');
}
