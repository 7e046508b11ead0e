import { type Generated, type Insertable, type Selectable } from 'kysely';

/** What an account may do: an `admin` may do everything. */
export type Role = 'user' | 'admin';

/** A person who can sign in. */
export interface AccountTable {
  id: Generated<number>;
  /** As its owner wrote it. */
  email: string;
  /** The e-mail in the form that is compared; unique (`account_email_key_unique`). */
  emailKey: string;
  /** Argon2id, in PHC form. */
  passwordHash: string;
  passwordResetToken: string | null;
  role: Generated<Role>;
  firstName: string | null;
  lastName: string | null;
  fullName: string | null;
  lastLoginIp: string | null;
  lastLoginAt: Date | null;
  /** Since when it may not be used, or `null`. */
  disabledAt: Date | null;
  emailChangedAt: Date | null;
  passwordChangedAt: Date;
  /** Grows when all tokens of the account end at once: those of an earlier generation are refused. */
  tokenGeneration: Generated<number>;
  /** The one session that the last growth of {@link tokenGeneration} spared; `null` if none. */
  keptSession: string | null;
  /** Set by the database unless it is given. */
  createdAt: Generated<Date>;
}

/** An account as it is read. */
export type AccountRow = Selectable<AccountTable>;
/** An account as it is written: what has a default may be left out. */
export type NewAccountRow = Insertable<AccountTable>;
