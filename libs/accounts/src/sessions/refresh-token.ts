import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const ID_BYTES = 8;
const SECRET_BYTES = 32;
const TAG_BYTES = 20;
const SIGNED_BYTES = ID_BYTES + SECRET_BYTES;
/** Sixty bytes are eighty characters of base64url, so that each token is spelled in one way only. */
const SPELLING = /^[\w-]{80}$/;

/** A refresh token taken apart. */
export interface ReadRefreshToken {
  readonly sessionId: number;
  /** What the store knows it by: SHA-256 in base64url. */
  readonly hash: string;
  readonly bytes: Buffer;
}

/** Makes 256 random bits, in base64url: a session's tag key, or a token's salt. */
export function makeKey(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/**
 * Makes a session's first refresh token: the session's id, 256 random bits, and a tag that tells the session's own
 * tokens, however old, from anything else. So only the newest need to be remembered to know a stolen one again.
 */
export function firstRefreshToken(sessionId: number, tagKey: string): string {
  return writeToken(sessionId, randomBytes(SECRET_BYTES), tagKey);
}

/**
 * Makes the one successor of a token. Its secret is an HMAC of a random salt that the store keeps, under the token
 * that it does not: whoever presents the token again gets the same successor, and nobody else can have it.
 */
export function successorOf({ sessionId, bytes }: ReadRefreshToken, salt: string, tagKey: string): string {
  return writeToken(sessionId, createHmac('sha256', bytes).update(salt).digest(), tagKey);
}

/** @returns `undefined` for a text that can be none of our tokens */
export function readRefreshToken(text: string): ReadRefreshToken | undefined {
  if (!SPELLING.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64url');
  const sessionId = Number(bytes.readBigUInt64BE());
  return Number.isSafeInteger(sessionId) ? { sessionId, hash: hashOf(text), bytes } : undefined;
}

/** The form in which a token is stored. */
export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

/** Whether the session with this tag key has given the token out, some time or other. */
export function isFromSession({ bytes }: ReadRefreshToken, tagKey: string): boolean {
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
