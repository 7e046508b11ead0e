import { createSecretKey, KeyObject } from 'node:crypto';
import { hmac, signatures, type TokenAlgorithm } from './algorithms';
import { writeSegment } from './segments';

/** The minimum secret length. An HS256 key has at least as many bits as the hash (RFC 7518 §3.2). */
export const MIN_SECRET_BYTES = 32;

/** An HS256 secret with at least 32 bytes. A string is encoded as UTF-8. */
export type Secret = string | Uint8Array | KeyObject;

/** A key that signs and verifies with a single algorithm. */
export interface SigningKey {
  readonly algorithm: TokenAlgorithm;
  /** The key id for the header, which does not reveal the key. */
  readonly kid: string;
  /** The secret, or the private key. */
  readonly key: KeyObject;
  /** The secret, or the public key. */
  readonly verifier: KeyObject;
}

/** A prepared key for a token type. */
export interface TokenKey extends SigningKey {
  /** The encoded header of every token that this key signs. */
  readonly header: string;
}

/**
 * Makes a secret's key once, since `createHmac` would derive a key from a string for every token.
 *
 * @param kid default: derived by HMAC
 * @throws TypeError if the secret is shorter than {@link MIN_SECRET_BYTES}
 */
export function secretKey(secret: Secret, kid?: string): SigningKey {
  const key = secret instanceof KeyObject ? secret : keyOf(secret);
  if ((key.symmetricKeySize ?? 0) < MIN_SECRET_BYTES) {
    throw new TypeError(`A secret for HS256 must have at least ${MIN_SECRET_BYTES} bytes.`);
  }
  return { algorithm: 'HS256', kid: kid ?? hmac(key, 'key id').slice(0, 11), key, verifier: key };
}

/** Prepares a key for a token type. */
export function makeTokenKey(key: SigningKey, type: string): TokenKey {
  return { ...key, header: writeSegment({ alg: key.algorithm, typ: type, kid: key.kid }) };
}

function keyOf(secret: string | Uint8Array): KeyObject {
  return typeof secret === 'string' ? createSecretKey(secret, 'utf8') : createSecretKey(secret);
}

/** The third segment of a token. */
export function signatureOf({ algorithm, key }: SigningKey, signingInput: string): string {
  return signatures[algorithm].sign(key, signingInput);
}

/** Returns whether the third segment is a signature by this key. HS256 signatures are compared in constant time. */
export function hasSignature(
  { algorithm, verifier }: SigningKey,
  signingInput: string,
  signature: string,
): boolean {
  return signatures[algorithm].isValid(verifier, signingInput, signature);
}
