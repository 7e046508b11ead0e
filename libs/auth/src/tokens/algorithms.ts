import { createHmac, type KeyObject, sign, timingSafeEqual, verify } from 'node:crypto';

/** The algorithms of access tokens, by their names in JWS. */
export const tokenAlgorithms = ['HS256', 'ES256', 'EdDSA'] as const;

/** Chosen by the key, never by the token (RFC 8725 §3.1). */
export type TokenAlgorithm = (typeof tokenAlgorithms)[number];

/** How one algorithm signs and verifies; the signature is the third segment of a token. */
interface Signatures {
  readonly sign: (key: KeyObject, signingInput: string) => string;
  /** Accepts the canonical encoding only. */
  readonly isValid: (key: KeyObject, signingInput: string, signature: string) => boolean;
}

/**
 * Synchronous: a signature takes less time than the queue of the thread pool, where password hashes wait.
 *
 * @see RFC 7518 §3.2 and §3.4, RFC 8037 §3.1
 */
export const signatures: Readonly<Record<TokenAlgorithm, Signatures>> = {
  HS256: {
    sign: hmac,
    isValid: (key, signingInput, signature) => {
      const expected = Buffer.from(hmac(key, signingInput));
      // UTF-8, because Latin-1 truncates characters outside its range.
      const given = Buffer.from(signature);
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
  },
  ES256: asymmetric('sha256'),
  EdDSA: asymmetric(null),
};

/** HMAC-SHA-256 in base64url. */
export function hmac(key: KeyObject, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url');
}

/** Both write a signature as two numbers of 32 bytes. */
function asymmetric(digest: string | null): Signatures {
  return {
    sign: (key, signingInput) => sign(digest, Buffer.from(signingInput), inJose(key)).toString('base64url'),
    isValid: (key, signingInput, signature) => {
      const bytes = Buffer.from(signature, 'base64url');
      if (bytes.length !== 64 || bytes.toString('base64url') !== signature) return false;
      return verify(digest, Buffer.from(signingInput), inJose(key), bytes);
    },
  };
}

/** The encoding of ES256 in JWS: the two numbers, without ASN.1. */
function inJose(key: KeyObject) {
  return { key, dsaEncoding: 'ieee-p1363' } as const;
}
