import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { SessionRow } from './session.table';

const ID_BYTES = 8;
const SECRET_BYTES = 32;
const TAG_BYTES = 21;
const SIGNED_BYTES = 2 * ID_BYTES + SECRET_BYTES;
/** 69 bytes are exactly 92 base64url characters, so the encoding is unique. */
const FORMAT = /^[\w-]{92}$/;

/** A decoded refresh token; its tag is not verified yet. */
export interface ParsedRefreshToken {
  readonly accountId: number;
  readonly sessionId: number;
  /** The stored hash, SHA-256 in base64url. */
  readonly hash: string;
  readonly bytes: Buffer;
}

/** The session parts that its tokens are made from. */
export type TaggedSession = Pick<SessionRow, 'accountId' | 'id' | 'tagKey'>;

/** Returns 256 random bits in base64url, for use as a session's tag key or a successor's salt. */
export function randomKey(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/**
 * Makes the first refresh token for a session. It contains the account id, the session id, 256 random bits and an HMAC tag. The
 * tag identifies the session's tokens, so that reuse is detected although old tokens are not stored.
 */
export function firstRefreshToken({ accountId, id, tagKey }: TaggedSession): string {
  return writeToken([accountId, id], randomBytes(SECRET_BYTES), tagKey);
}

/**
 * Derives a token's successor by HMAC from the stored salt and the token, which is the key. Only the token's hash is stored, so
 * that the database alone cannot reveal the successor. The same token always gives the same successor.
 */
export function successorOf(token: ParsedRefreshToken, salt: string, tagKey: string): string {
  const { accountId, sessionId, bytes } = token;
  return writeToken([accountId, sessionId], createHmac('sha256', bytes).update(salt).digest(), tagKey);
}

/** @returns `undefined` for malformed text */
export function parseRefreshToken(text: string): ParsedRefreshToken | undefined {
  if (!FORMAT.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64url');
  const [accountId, sessionId] = [0, ID_BYTES].map((at) => Number(bytes.readBigUInt64BE(at)));
  const isId = Number.isSafeInteger(accountId) && Number.isSafeInteger(sessionId);
  return isId ? { accountId, sessionId, hash: hashOf(text), bytes } : undefined;
}

/** A token's stored hash. */
export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

/** Returns whether the token was issued for the session with this tag key. */
export function hasValidTag({ bytes }: ParsedRefreshToken, tagKey: string): boolean {
  return timingSafeEqual(bytes.subarray(SIGNED_BYTES), tagOf(bytes.subarray(0, SIGNED_BYTES), tagKey));
}

function writeToken(ids: readonly number[], secret: Buffer, tagKey: string): string {
  const written = Buffer.alloc(ids.length * ID_BYTES);
  ids.forEach((id, at) => written.writeBigUInt64BE(BigInt(id), at * ID_BYTES));
  const signed = Buffer.concat([written, secret]);
  return Buffer.concat([signed, tagOf(signed, tagKey)]).toString('base64url');
}

function tagOf(signed: Buffer, tagKey: string): Buffer {
  return createHmac('sha256', tagKey).update(signed).digest().subarray(0, TAG_BYTES);
}
