import { createHash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;

/** Lifetime of a link. */
export const RESET_MINUTES = 30;

/** A token that sets a new password, once. */
export interface ResetToken {
  /** 256 random bits in base64url, for the owner. */
  readonly token: string;
  /** SHA-256 in base64url, as stored. */
  readonly hash: string;
}

/** Makes a new token. */
export function makeResetToken(): ResetToken {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return { token, hash: resetTokenHash(token) };
}

/** The stored hash of a token; the prefix keeps it apart from the hashes of other kinds of tokens. */
export function resetTokenHash(token: string): string {
  return createHash('sha256').update(`password reset ${token}`).digest('base64url');
}
