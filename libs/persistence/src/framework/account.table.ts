import { type Generated, type Insertable, type Selectable } from 'kysely';
import { defineTable } from '../schema/define-table';

/** A user. */
export interface AccountTable {
  id: Generated<number>;
  /** As entered. */
  email: string;
  /** The e-mail, normalized for comparison; unique (`account_email_key_unique`). */
  emailKey: string;
  /** Argon2id, in PHC form. */
  passwordHash: string;
  /** SHA-256 of the token in the latest link, in base64url; `null` once it is used or ended. */
  passwordResetToken: string | null;
  /** When that link expires. */
  passwordResetExpiresAt: Date | null;
  /** A name that an application declares; `user` by default. Programs treat one that they do not declare as `user`. */
  role: Generated<string>;
  firstName: string | null;
  lastName: string | null;
  fullName: string | null;
  lastLoginIp: string | null;
  lastLoginAt: Date | null;
  /** When it was disabled; `null` if it is enabled. */
  disabledAt: Date | null;
  emailChangedAt: Date | null;
  /** When its owner confirmed the e-mail; `null` before, and after a change that was not confirmed. */
  emailVerifiedAt: Date | null;
  passwordChangedAt: Date;
  /** Incremented to revoke all tokens: those of an earlier generation are rejected. */
  tokenGeneration: Generated<number>;
  /** When that was the last time: tokens of trusted issuers that were issued until then are rejected. */
  tokensRevokedAt: Date | null;
  /** The session that stayed valid at the last increment of {@link tokenGeneration}; `null` if none. */
  keptSession: string | null;
  /** Default: the time of the insert. */
  createdAt: Generated<Date>;
}

/** A selected account. */
export type AccountRow = Selectable<AccountTable>;
/** An account to insert. */
export type NewAccountRow = Insertable<AccountTable>;

declare module '../schema/tables' {
  interface Tables {
    account: AccountTable;
  }
}

export const accountTable = defineTable('account', {
  secrecy: {
    id: 'open',
    email: 'open',
    emailKey: 'internal',
    passwordHash: 'secret',
    passwordResetToken: 'secret',
    passwordResetExpiresAt: 'owner',
    role: 'operators',
    firstName: 'operators',
    lastName: 'operators',
    fullName: 'operators',
    lastLoginIp: 'operators',
    lastLoginAt: 'owner',
    disabledAt: 'operators',
    emailChangedAt: 'owner',
    emailVerifiedAt: 'owner',
    passwordChangedAt: 'owner',
    tokenGeneration: 'internal',
    tokensRevokedAt: 'owner',
    keptSession: 'secret',
    createdAt: 'open',
  },
  exported: {
    part: 'account',
    without: { disabledAt: 'a disabled account cannot export', tokensRevokedAt: 'the events have each' },
  },
});
