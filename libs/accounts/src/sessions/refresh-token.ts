import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const ID_BYTES = 8;
const SECRET_BYTES = 32;
const TAG_BYTES = 20;
const SIGNED_BYTES = ID_BYTES + SECRET_BYTES;
/** 60 bytes are exactly 80 characters of base64url, so the encoding is unique. */
const FORMAT = /^[\w-]{80}$/;

/** A decoded refresh token; its tag is not verified yet. */
export interface ParsedRefreshToken {
  readonly sessionId: number;
  /** SHA-256 in base64url, as stored. */
  readonly hash: string;
  readonly bytes: Buffer;
}

/** 256 random bits in base64url: the tag key of a session, or the salt of a successor. */
export function randomKey(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/**
 * Makes the first refresh token of a session: the session id, 256 random bits, and an HMAC tag. The tag identifies every
 * token of the session, so that reuse of an old one is detected without storing it.
 */
export function firstRefreshToken(sessionId: number, tagKey: string): string {
  return writeToken(sessionId, randomBytes(SECRET_BYTES), tagKey);
}

/**
 * Derives the successor of a token: an HMAC of the stored salt with the token, which is not stored, as key. The same token
 * gives the same successor, and the database alone does not reveal it.
 */
export function successorOf({ sessionId, bytes }: ParsedRefreshToken, salt: string, tagKey: string): string {
  return writeToken(sessionId, createHmac('sha256', bytes).update(salt).digest(), tagKey);
}

/** @returns `undefined` for malformed text */
export function parseRefreshToken(text: string): ParsedRefreshToken | undefined {
  if (!FORMAT.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64url');
  const sessionId = Number(bytes.readBigUInt64BE());
  return Number.isSafeInteger(sessionId) ? { sessionId, hash: hashOf(text), bytes } : undefined;
}

/** The stored hash of a token. */
export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

/** Whether the token was issued for the session with this tag key. */
export function hasValidTag({ bytes }: ParsedRefreshToken, tagKey: string): boolean {
  return timingSafeEqual(bytes.subarray(SIGNED_BYTES), tagOf(bytes.subarray(0, SIGNED_BYTES), tagKey));
}

function writeToken(sessionId: number, secret: Buffer, tagKey: string): string {
  const id = Buffer.alloc(ID_BYTES);
  id.writeBigUInt64BE(BigInt(sessionId));
  const signed = Buffer.concat([id, secret]);
  return Buffer.concat([signed, tagOf(signed, tagKey)]).toString('base64url');
}

function tagOf(signed: Buffer, tagKey: string): Buffer {
  return createHmac('sha256', tagKey).update(signed).digest().subarray(0, TAG_BYTES);
}
