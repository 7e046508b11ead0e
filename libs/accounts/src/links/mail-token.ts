import { createHash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;

/** What the link of a mail does; it keeps the hashes of one kind of token apart from those of another. */
export type MailTokenKind = 'password reset' | 'email confirmation' | 'email undo';

/** A token in the link of a mail, valid once. */
export interface MailToken {
  /** 256 random bits in base64url, for the reader of the mail. */
  readonly token: string;
  /** SHA-256 in base64url, as stored. */
  readonly hash: string;
}

/** Makes a new token. */
export function makeMailToken(kind: MailTokenKind): MailToken {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return { token, hash: mailTokenHash(kind, token) };
}

/** The stored hash of a token. */
export function mailTokenHash(kind: MailTokenKind, token: string): string {
  return createHash('sha256').update(`${kind} ${token}`).digest('base64url');
}
