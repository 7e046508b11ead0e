import { createHmac } from 'node:crypto';

/** A forged token's parts. */
export interface Forgery {
  /** The header; default `{ alg: 'HS256', typ: 'JWT' }`. A string is used as the JSON text. */
  readonly header?: object | string;
  /** The claims. A string is used as the JSON text, for values that `JSON.stringify` cannot write, such as `1e999`. */
  readonly payload: unknown;
  readonly secret: string | Uint8Array;
  /** The hash for the HMAC; default `sha256`. */
  readonly hash?: 'sha256' | 'sha384' | 'sha512';
}

const DEFAULT_HEADER = { alg: 'HS256', typ: 'JWT' };

/** Signs arbitrary content as a compact JWS. */
export function forgeToken({ header = DEFAULT_HEADER, payload, secret, hash = 'sha256' }: Forgery): string {
  const signingInput = `${segment(header)}.${segment(payload)}`;
  return `${signingInput}.${createHmac(hash, secret).update(signingInput).digest('base64url')}`;
}

/** Encodes a segment of a compact JWS. */
export function segment(content: unknown): string {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  return Buffer.from(text).toString('base64url');
}
