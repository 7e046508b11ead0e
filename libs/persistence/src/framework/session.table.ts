import { type Generated, type Selectable } from 'kysely';
import { defineTable } from '../schema/define-table';

/** A session: access tokens refer to it, refresh tokens extend it. Deleted with its account. */
export interface SessionTable {
  id: Generated<number>;
  accountId: number;
  /** The `sid` claim of its access tokens; unique (`session_sid_unique`). */
  sid: string;
  /** HMAC key that authenticates refresh tokens of this session: 256 random bits in base64url. Not sufficient to make one. */
  tagKey: string;
  /** Remote address of the sign-in. */
  ip: string;
  createdAt: Date;
  /** When its last refresh token was issued. */
  lastUsedAt: Date;
  /** When that token expires, and the session with it. */
  expiresAt: Date;
  /** Refreshes since {@link refreshesFromAt}. */
  refreshes: Generated<number>;
  /** The first refresh of the current hour; `null` before any. */
  refreshesFromAt: Date | null;
  /** The audit event that gathers the rotations of a day; no foreign key, because events are deleted by age. */
  turnsEventId: number | null;
  /** The application that opened it, which alone refreshes it; `null`: of an earlier release, refreshed by any. */
  audience: string | null;
  /** Chosen by the client, or as its `User-Agent` says, such as `Firefox on Windows`; `null` if it is not known. */
  device: string | null;
}

/** A refresh token that is accepted: the newest of its session, and those rotated within the grace period. */
export interface RefreshTokenTable {
  /** SHA-256 of the token, in base64url; primary key. The token itself is not stored. */
  hash: string;
  sessionId: number;
  /** When it was rotated; `null` for the newest. */
  turnedAt: Date | null;
  /** Its successor is derived from this salt and the token itself. */
  salt: string | null;
}

/** An entry in the log of revocations; deleted after the last affected token has expired. */
export interface RevocationTable {
  /** Who wrote it: a random name, chosen at the start of a program. */
  program: string;
  /** Counts the entries of the program from 1; a number is missing where a transaction was rolled back. Primary key with `program`. */
  number: number;
  /** The transactions of all lesser numbers of the program had ended when this one was given. */
  settledBelow: number;
  /** A revoked `session` or `token`, or an `account` whose state must be reloaded. */
  kind: 'session' | 'token' | 'account';
  /** A `sid`, a `jti`, or an account's id. */
  subject: string;
  createdAt: Date;
}

/** A selected session. */
export type SessionRow = Selectable<SessionTable>;
/** A selected refresh token. */
export type RefreshTokenRow = Selectable<RefreshTokenTable>;
/** A selected revocation. */
export type RevocationRow = Selectable<RevocationTable>;

declare module '../schema/tables' {
  interface Tables {
    session: SessionTable;
    refreshToken: RefreshTokenTable;
    revocation: RevocationTable;
  }
}

export const sessionTable = defineTable('session', {
  secrecy: {
    id: 'open',
    accountId: 'internal',
    sid: 'secret',
    tagKey: 'secret',
    ip: 'open',
    createdAt: 'open',
    lastUsedAt: 'open',
    expiresAt: 'open',
    refreshes: 'internal',
    refreshesFromAt: 'internal',
    turnsEventId: 'internal',
    audience: 'internal',
    device: 'open',
  },
  exported: { part: 'sessions' },
});

export const refreshTokenTable = defineTable('refreshToken', {
  secrecy: { hash: 'secret', sessionId: 'internal', turnedAt: 'internal', salt: 'secret' },
  exported: { not: 'hashes of tokens; the session is exported' },
});

export const revocationTable = defineTable('revocation', {
  secrecy: {
    program: 'internal',
    number: 'internal',
    settledBelow: 'internal',
    kind: 'internal',
    subject: 'secret',
    createdAt: 'internal',
  },
  exported: { not: 'ids of tokens that were ended, until they expire' },
});
