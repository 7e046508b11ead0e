import { createHmac, type KeyObject, sign, timingSafeEqual, verify } from 'node:crypto';

/** The algorithms of access tokens, by their names in JWS. */
export const tokenAlgorithms = ['HS256', 'ES256', 'EdDSA'] as const;

/** The signature algorithm. The key determines it, never the token (RFC 8725 §3.1). */
export type TokenAlgorithm = (typeof tokenAlgorithms)[number];

/** The functions that sign and verify with an algorithm. The signature is the third segment of a token. */
interface Signatures {
  readonly sign: (key: KeyObject, signingInput: string) => string;
  /** Accepts the canonical encoding only. */
  readonly isValid: (key: KeyObject, signingInput: string, signature: string) => boolean;
}

/**
 * The signature functions by algorithm. They are synchronous, because a signature takes less time than the thread pool's queue,
 * where password hashes wait.
 *
 * @see RFC 7518 §3.2 and §3.4, RFC 8037 §3.1
 */
export const signatures: Readonly<Record<TokenAlgorithm, Signatures>> = {
  HS256: {
    sign: hmac,
    isValid: (key, signingInput, signature) => {
      const expected = Buffer.from(hmac(key, signingInput));
      // UTF-8, because Latin-1 truncates characters outside its range.
      const actual = Buffer.from(signature);
      return actual.length === expected.length && timingSafeEqual(actual, expected);
    },
  },
  ES256: asymmetric('sha256', { canonical: withLowerNumber, isCanonical: hasLowerNumber }),
  // The specification permits one number, which OpenSSL checks (RFC 8032 §5.1.7).
  EdDSA: asymmetric(null, { canonical: (bytes) => bytes, isCanonical: () => true }),
};

/** Returns an HMAC-SHA-256 in base64url. */
export function hmac(key: KeyObject, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url');
}

/** The canonical signature among the valid signatures for the same content and key. Only this form is written and accepted. */
interface Form {
  readonly canonical: (signature: Buffer) => Buffer;
  readonly isCanonical: (signature: Buffer) => boolean;
}

/** Returns the functions for an asymmetric algorithm. Its signatures consist of two numbers with 32 bytes each. */
function asymmetric(digest: string | null, { canonical, isCanonical }: Form): Signatures {
  return {
    sign: (key, signingInput) =>
      canonical(sign(digest, Buffer.from(signingInput), inJose(key))).toString('base64url'),
    isValid: (key, signingInput, signature) => {
      const bytes = Buffer.from(signature, 'base64url');
      if (bytes.length !== 64 || bytes.toString('base64url') !== signature) return false;
      return isCanonical(bytes) && verify(digest, Buffer.from(signingInput), inJose(key), bytes);
    },
  };
}

/** Selects the ES256 encoding in JWS, which is the two numbers without ASN.1. */
function inJose(key: KeyObject) {
  return { key, dsaEncoding: 'ieee-p1363' } as const;
}

/** The order of the curve P-256 (FIPS 186-5, SP 800-186 §3.2.1.3). */
const P256_ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const HALF_P256_ORDER = numberBytes(P256_ORDER / 2n);

/** Returns whether `s` is the lower number. For each valid `s`, `order - s` is valid too, and anybody can compute it. */
function hasLowerNumber(signature: Buffer): boolean {
  return signature.subarray(32).compare(HALF_P256_ORDER) <= 0;
}

function withLowerNumber(signature: Buffer): Buffer {
  if (hasLowerNumber(signature)) return signature;
  const s = BigInt(`0x${signature.toString('hex', 32)}`);
  return Buffer.concat([signature.subarray(0, 32), numberBytes(P256_ORDER - s)]);
}

function numberBytes(number: bigint): Buffer {
  return Buffer.from(number.toString(16).padStart(64, '0'), 'hex');
}
