import { createHmac, createSecretKey, KeyObject, timingSafeEqual } from 'node:crypto';
import { writeSegment } from './segments';

/** RFC 7518 §3.2: a key for HS256 has at least as many bits as the hash. */
export const MIN_SECRET_BYTES = 32;

/** A prepared key: from a string, `createHmac` would derive a key for every token. */
export interface TokenKey {
  /** Key id for the header: derived by HMAC, so it does not reveal the key. */
  readonly kid: string;
  readonly key: KeyObject;
  /** The encoded header of every token that this key signs. */
  readonly header: string;
}

/**
 * Prepares the key of one secret and one token type.
 *
 * @param secret a string is encoded as UTF-8
 * @throws TypeError if it is shorter than {@link MIN_SECRET_BYTES}
 */
export function makeTokenKey(secret: string | Uint8Array | KeyObject, type: string): TokenKey {
  const key = secret instanceof KeyObject ? secret : keyOf(secret);
  if ((key.symmetricKeySize ?? 0) < MIN_SECRET_BYTES) {
    throw new TypeError(`A secret for HS256 must have at least ${MIN_SECRET_BYTES} bytes.`);
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

/** Compares the encoded signatures in constant time, so that only the canonical encoding is accepted. */
export function hasSignature(key: TokenKey, signingInput: string, signature: string): boolean {
  const expected = Buffer.from(signatureOf(key, signingInput));
  // UTF-8, because Latin-1 truncates characters outside its range.
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function hmac(key: KeyObject, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url');
}
