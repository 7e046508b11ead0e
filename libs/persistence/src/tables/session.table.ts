import { type Generated, type Selectable } from 'kysely';

/** A sign-in that lasts: its access tokens name it, its refresh tokens keep it alive. Goes with its account. */
export interface SessionTable {
  id: Generated<number>;
  accountId: number;
  /** What its access tokens call it; unique (`session_sid_unique`). */
  sid: string;
  /** Proves that a refresh token came from here: 256 random bits in base64url. Nobody can make a valid one with it. */
  tagKey: string;
  /** Where it was opened from. */
  ip: string;
  createdAt: Date;
  /** When its last refresh token was given out. */
  lastUsedAt: Date;
  /** When that token expires, and the session with it. */
  expiresAt: Date;
}

/** A refresh token that can still be presented: the newest of its session, and those turned a moment ago. */
export interface RefreshTokenTable {
  /** SHA-256 of the token, in base64url; primary key. The token itself is nowhere. */
  hash: string;
  sessionId: number;
  /** When it got its successor; `null` for the newest. */
  turnedAt: Date | null;
  /** What its successor is derived from, together with the token itself; worthless alone. */
  salt: string | null;
}

/** Something that programs must no longer go by; written once, and swept when it no longer matters. */
export interface RevocationTable {
  /** Grows in the order of commits. */
  id: Generated<number>;
  /** `session` and `token` are refused; an `account` is to be read anew. */
  kind: 'session' | 'token' | 'account';
  /** A `sid`, a `jti`, or an account's id. */
  subject: string;
  createdAt: Date;
}

/** A session as it is read. */
export type SessionRow = Selectable<SessionTable>;
/** A refresh token as it is read. */
export type RefreshTokenRow = Selectable<RefreshTokenTable>;
/** A revocation as it is read. */
export type RevocationRow = Selectable<RevocationTable>;
