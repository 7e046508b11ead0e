import { type Columns, defineTable, type MigrationContext } from '@app/persistence';
import { type Generated, type Insertable, type Selectable, sql } from 'kysely';

/** A user account. */
export interface AccountTable {
  id: Generated<number>;
  /** The e-mail as entered. */
  email: string;
  /** The e-mail, normalized for comparison; unique (`account_email_key_unique`). */
  emailKey: string;
  /** The Argon2id hash, in PHC form. */
  passwordHash: string;
  /** The SHA-256 of the token in the latest link, in base64url; `null` once it is used or ended. */
  passwordResetToken: string | null;
  /** The time at which that link expires. */
  passwordResetExpiresAt: Date | null;
  /** A role name that an application declares; `user` by default. Programs treat a name that they do not declare as `user`. */
  role: Generated<string>;
  firstName: string | null;
  lastName: string | null;
  fullName: string | null;
  lastLoginIp: string | null;
  lastLoginAt: Date | null;
  /** The time at which the account was disabled; `null` if it is enabled. */
  disabledAt: Date | null;
  emailChangedAt: Date | null;
  /** The time at which the owner confirmed the e-mail; `null` before, and after an unconfirmed change. */
  emailVerifiedAt: Date | null;
  passwordChangedAt: Date;
  /**
   * The time since which somebody else knows the password, so that it must be changed before anything else; `null` if the owner
   * chose it.
   */
  passwordChangeRequiredAt: Date | null;
  /** A counter that is incremented to revoke all tokens. Tokens with an earlier generation are rejected. */
  tokenGeneration: Generated<number>;
  /** The time of the last increment. Trusted issuers' tokens that were issued until then are rejected. */
  tokensRevokedAt: Date | null;
  /** The session that stayed valid at the last increment of {@link tokenGeneration}; `null` if every session was revoked. */
  keptSession: string | null;
  /** The time at which the row was inserted, by default. */
  createdAt: Generated<Date>;
}

/** A selected account. */
export type AccountRow = Selectable<AccountTable>;
/** An account to insert. */
export type NewAccountRow = Insertable<AccountTable>;

declare module '@app/persistence' {
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
    passwordChangeRequiredAt: 'owner',
    tokenGeneration: 'internal',
    tokensRevokedAt: 'owner',
    keptSession: 'secret',
    createdAt: 'open',
  },
  exported: {
    part: 'account',
    without: {
      disabledAt: 'a disabled account cannot export',
      passwordChangeRequiredAt: 'an account that must change its password cannot export',
      tokensRevokedAt: 'the events have each',
    },
  },
  migrations: {
    '0001-account': { apply: createAccount },
    '0023-account-password-change-required': { apply: addPasswordChangeRequired },
  },
});

async function createAccount(
  db: MigrationContext,
  { integer, timestamp, text, id, now, strictTypes }: Columns,
): Promise<void> {
  const table = db.schema
    .createTable('account')
    .$call(strictTypes)
    .addColumn('id', integer, id)
    .addColumn('email', text, (column) => column.notNull())
    .addColumn('email_key', text, (column) => column.notNull())
    .addColumn('email_changed_at', timestamp)
    .addColumn('email_verified_at', timestamp)
    .addColumn('password_hash', text, (column) => column.notNull())
    .addColumn('password_changed_at', timestamp, (column) => column.notNull())
    .addColumn('password_reset_token', text)
    .addColumn('password_reset_expires_at', timestamp)
    .addColumn('role', text, (column) => column.notNull().defaultTo('user'))
    .addColumn('first_name', text)
    .addColumn('last_name', text)
    .addColumn('full_name', text)
    .addColumn('last_login_ip', text)
    .addColumn('last_login_at', timestamp)
    .addColumn('disabled_at', timestamp)
    .addColumn('token_generation', integer, (column) => column.notNull().defaultTo(0))
    .addColumn('tokens_revoked_at', timestamp)
    .addColumn('kept_session', text)
    .addColumn('created_at', timestamp, (column) => column.notNull().defaultTo(now))
    .addUniqueConstraint('account_email_key_unique', ['email_key'])
    .addCheckConstraint('account_role_named', sql`role <> ''`);
  await table.execute();
  const index = (name: string) => db.schema.createIndex(name).on('account');
  const isAdministrator = [sql.ref('role'), '=', sql.lit('admin')] as const;
  await index('account_administrators')
    .column('id')
    .where(...isAdministrator)
    .execute();
  await index('account_password_reset_token').column('password_reset_token').execute();
}

async function addPasswordChangeRequired(
  { schema }: MigrationContext,
  { timestamp }: Columns,
): Promise<void> {
  await schema.alterTable('account').addColumn('password_change_required_at', timestamp).execute();
}
