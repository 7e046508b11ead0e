import { createHmac } from 'node:crypto';

/** What to put into a token that no honest signer would make. */
export interface Forgery {
  /** The header's members; `{ alg: 'HS256', typ: 'JWT' }` unless given. Text is taken as the header's JSON. */
  readonly header?: object | string;
  /** The claims. Text is taken as the payload's JSON, for what `JSON.stringify` cannot write, such as `1e999`. */
  readonly payload: unknown;
  readonly secret: string | Uint8Array;
  /** The hash of the HMAC: `sha256` unless given. */
  readonly hash?: 'sha256' | 'sha384' | 'sha512';
}

const HONEST_HEADER = { alg: 'HS256', typ: 'JWT' };

/** Signs whatever it is told to, as a compact JWS. */
export function forgeToken({ header = HONEST_HEADER, payload, secret, hash = 'sha256' }: Forgery): string {
  const signingInput = `${segment(header)}.${segment(payload)}`;
  return `${signingInput}.${createHmac(hash, secret).update(signingInput).digest('base64url')}`;
}

/** One segment of a compact JWS, as it is told. */
export function segment(content: unknown): string {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  return Buffer.from(text).toString('base64url');
}
