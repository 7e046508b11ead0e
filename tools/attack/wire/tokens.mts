import { createHmac, generateKeyPairSync, sign } from 'node:crypto';

/** A faulty credential and its fault. */
export interface FaultyToken {
  readonly fault: string;
  /** The value of `Authorization`. A list sends several header fields, and `undefined` sends no header field. */
  readonly authorization: string | readonly string[] | undefined;
}

const otherSecret = 'another secret, which is as long as a good one';

/** Returns faulty tokens that need only a valid token. */
export function faultyTokens(valid: string): FaultyToken[] {
  const [header = '', payload = '', signature = ''] = valid.split('.');
  const claims = claimsOf(valid);
  return [
    { fault: 'no token', authorization: undefined },
    { fault: 'an empty header', authorization: '' },
    { fault: 'a scheme without a token', authorization: 'Bearer' },
    { fault: 'a token without its scheme', authorization: valid },
    { fault: 'another scheme', authorization: `Basic ${valid}` },
    { fault: 'two header fields', authorization: [`Bearer ${valid}`, `Bearer ${valid}`] },
    { fault: 'two tokens in a field', authorization: `Bearer ${valid}, Bearer ${valid}` },
    bearer('something else than a token', 'nonsense'),
    bearer('a token of two parts', `${header}.${payload}`),
    bearer('a token of four parts', `${valid}.${signature}`),
    bearer('a token without its signature', `${header}.${payload}.`),
    bearer('a changed signature', `${header}.${payload}.${flipped(signature)}`),
    bearer('a changed payload', `${header}.${segment({ ...claims, sub: 1, role: 'admin' })}.${signature}`),
    bearer('a payload that is no JSON', `${header}.${Buffer.from('{').toString('base64url')}.${signature}`),
    bearer('padding after the signature', `${valid}==`),
    ...otherSpellings(valid),
    bearer('a token of 20,000 characters', `${header}.${'A'.repeat(20_000)}.${signature}`),
    ...['none', 'None', 'NONE'].map((alg) =>
      bearer(`alg ${alg}`, `${segment({ alg, typ: 'JWT' })}.${payload}.`),
    ),
    bearer('alg none with a signature', `${segment({ alg: 'none', typ: 'JWT' })}.${payload}.${signature}`),
    bearer('another key', signed({ alg: 'HS256', typ: 'JWT' }, claims, otherSecret)),
    bearer('an empty key', signed({ alg: 'HS256', typ: 'JWT' }, claims, '')),
    bearer(
      'a key named by kid',
      signed({ alg: 'HS256', typ: 'JWT', kid: '../../../../dev/null' }, claims, ''),
    ),
    bearer('a key of its own, in the header', withOwnKey(claims)),
  ];
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/** The curve order for ES256. */
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/**
 * Returns the same token in other spellings, which anybody can write without the key. They evade a service that revokes or
 * counts tokens by their spelling.
 */
function otherSpellings(valid: string): FaultyToken[] {
  const [header = '', payload = '', signature = ''] = valid.split('.');
  const last = alphabet.indexOf(valid.slice(-1));
  const hasUnusedBits = signature.length % 4 !== 0 && last !== -1;
  const bits = hasUnusedBits
    ? [bearer('other unused bits in its last character', valid.slice(0, -1) + alphabet.charAt(last ^ 1))]
    : [];
  if (algorithmOf(header) !== 'ES256') return bits;
  const bytes = Buffer.from(signature, 'base64url');
  const negated = order - BigInt(`0x${bytes.toString('hex', 32)}`);
  bytes.write(negated.toString(16).padStart(64, '0'), 32, 'hex');
  return [
    ...bits,
    bearer('the other signature of ES256', `${header}.${payload}.${bytes.toString('base64url')}`),
  ];
}

/** A credential that is sent as a bearer token. */
export function bearer(fault: string, token: string): FaultyToken {
  return { fault, authorization: `Bearer ${token}` };
}

/** Returns faulty tokens that are signed with the service's secret, as a mistake in a different program could issue them. */
export function faultySigned(valid: string, secret: string, now: number): FaultyToken[] {
  const claims = claimsOf(valid);
  const seconds = Math.floor(now / 1000);
  const header = { alg: 'HS256', typ: 'JWT' };
  const token = (fault: string, payload: unknown, head: object = header, hash = 'sha256') => ({
    fault,
    authorization: `Bearer ${signed(head, payload, secret, hash)}`,
  });
  return [
    token('expired', { ...claims, iat: seconds - 3600, exp: seconds - 3540 }),
    token('without exp', { ...claims, exp: undefined }),
    token('an exp that is a text', { ...claims, exp: String(seconds + 60) }),
    {
      fault: 'an infinite exp',
      authorization: `Bearer ${signed(header, JSON.stringify({ ...claims, exp: 0 }).replace('"exp":0', '"exp":1e999'), secret)}`,
    },
    token('valid from tomorrow', { ...claims, nbf: seconds + 86_400 }),
    token('without a subject', { ...claims, sub: undefined }),
    token('a subject that is an object', { ...claims, sub: {} }),
    token('a payload that is a list', []),
    token('HS384 with the same secret', claims, { alg: 'HS384', typ: 'JWT' }, 'sha384'),
    token('HS512 with the same secret', claims, { alg: 'HS512', typ: 'JWT' }, 'sha512'),
    token('a critical extension that is not known', claims, { ...header, crit: ['exp'], exp: 1 }),
  ];
}

/** A valid token with some claims changed, signed with the service's secret. */
export function withClaims(valid: string, changes: object, secret: string): string {
  return signed({ alg: 'HS256', typ: 'JWT' }, { ...claimsOf(valid), ...changes }, secret);
}

/** Returns the token claims and skips the signature check; empty if the text is not a token. */
export function claimsOf(token: string): Record<string, unknown> {
  return objectIn(token.split('.')[1] ?? '');
}

function algorithmOf(header: string): unknown {
  return objectIn(header).alg;
}

function objectIn(encoded: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(Buffer.from(encoded, 'base64url').toString());
    return { ...Object(value) };
  } catch {
    return {};
  }
}

function signed(header: object, payload: unknown, secret: string, hash = 'sha256'): string {
  const input = `${segment(header)}.${segment(payload)}`;
  return `${input}.${createHmac(hash, secret).update(input).digest('base64url')}`;
}

/** Signs with RS256 and a public key that the token contains (RFC 8725 §3.10 forbids to trust it). */
function withOwnKey(claims: object): string {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const input = `${segment({ alg: 'RS256', typ: 'JWT', jwk: publicKey.export({ format: 'jwk' }) })}.${segment(claims)}`;
  return `${input}.${sign('sha256', Buffer.from(input), privateKey).toString('base64url')}`;
}

function segment(value: unknown): string {
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
}

/** Changes the first character, because the last character may hold bits that decoders ignore. */
function flipped(signature: string): string {
  return `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
}
