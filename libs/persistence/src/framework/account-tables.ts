import { sql } from 'kysely';
import { type Columns, type MigrationContext } from '../schema/columns';

/** Accounts, and what they sign in with. A unique constraint is named `<table>_<columns>_unique`, see sqlite-errors.ts. */
export async function createAccountTables(db: MigrationContext, columns: Columns): Promise<void> {
  await createAccount(db, columns);
  await createSession(db, columns);
  await createRefreshToken(db, columns);
  await createApiKey(db, columns);
  await createEmailLink(db, columns);
  await createKnownDevice(db, columns);
  await createTrustedIdentity(db, columns);
}

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

async function createSession(
  db: MigrationContext,
  { integer, timestamp, text, id, strictTypes }: Columns,
): Promise<void> {
  const table = db.schema
    .createTable('session')
    .$call(strictTypes)
    .addColumn('id', integer, id)
    .addColumn('account_id', integer, (column) =>
      column.notNull().references('account.id').onDelete('cascade'),
    )
    .addColumn('sid', text, (column) => column.notNull())
    .addColumn('tag_key', text, (column) => column.notNull())
    .addColumn('audience', text)
    .addColumn('device', text)
    .addColumn('ip', text, (column) => column.notNull())
    .addColumn('created_at', timestamp, (column) => column.notNull())
    .addColumn('last_used_at', timestamp, (column) => column.notNull())
    .addColumn('expires_at', timestamp, (column) => column.notNull())
    .addColumn('refreshes', integer, (column) => column.notNull().defaultTo(0))
    .addColumn('refreshes_from_at', timestamp)
    .addColumn('turns_event_id', integer)
    .addUniqueConstraint('session_sid_unique', ['sid']);
  await table.execute();
  await db.schema.createIndex('session_account_id_id').on('session').columns(['account_id', 'id']).execute();
  await db.schema.createIndex('session_expires_at').on('session').column('expires_at').execute();
}

async function createRefreshToken(
  db: MigrationContext,
  { integer, timestamp, text, strictTypes }: Columns,
): Promise<void> {
  const table = db.schema
    .createTable('refresh_token')
    .$call(strictTypes)
    .addColumn('hash', text, (column) => column.primaryKey())
    .addColumn('session_id', integer, (column) =>
      column.notNull().references('session.id').onDelete('cascade'),
    )
    .addColumn('turned_at', timestamp)
    .addColumn('salt', text);
  await table.execute();
  await db.schema.createIndex('refresh_token_session_id').on('refresh_token').column('session_id').execute();
}

async function createApiKey(
  db: MigrationContext,
  { integer, timestamp, text, id, strictTypes }: Columns,
): Promise<void> {
  const table = db.schema
    .createTable('api_key')
    .$call(strictTypes)
    .addColumn('id', integer, id)
    .addColumn('account_id', integer, (column) =>
      column.notNull().references('account.id').onDelete('cascade'),
    )
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('key_hash', text, (column) => column.notNull())
    .addColumn('key_ends', text, (column) => column.notNull())
    .addColumn('scopes', text)
    .addColumn('created_at', timestamp, (column) => column.notNull())
    .addColumn('last_used_at', timestamp)
    .addColumn('expires_at', timestamp)
    .addUniqueConstraint('api_key_key_hash_unique', ['key_hash']);
  await table.execute();
  await db.schema.createIndex('api_key_account_id_id').on('api_key').columns(['account_id', 'id']).execute();
  await db.schema.createIndex('api_key_expires_at').on('api_key').column('expires_at').execute();
}

async function createEmailLink(
  db: MigrationContext,
  { integer, timestamp, text, boolean, id, strictTypes }: Columns,
): Promise<void> {
  const table = db.schema
    .createTable('email_link')
    .$call(strictTypes)
    .addColumn('id', integer, id)
    .addColumn('account_id', integer, (column) =>
      column.notNull().references('account.id').onDelete('cascade'),
    )
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('email', text, (column) => column.notNull())
    .addColumn('email_key', text, (column) => column.notNull())
    .addColumn('token_hash', text, (column) => column.notNull())
    .addColumn('is_undoable', boolean, (column) => column.notNull().defaultTo(sql`true`))
    .addColumn('expires_at', timestamp, (column) => column.notNull())
    .addUniqueConstraint('email_link_token_hash_unique', ['token_hash'])
    .addCheckConstraint('email_link_kind_known', sql`kind in ('confirm', 'undo')`);
  await table.execute();
  const index = (name: string) => db.schema.createIndex(name).on('email_link');
  await index('email_link_account_id').column('account_id').execute();
  await index('email_link_email_key').column('email_key').execute();
  await index('email_link_expires_at').column('expires_at').execute();
}

async function createKnownDevice(
  db: MigrationContext,
  { integer, timestamp, text, strictTypes }: Columns,
): Promise<void> {
  const table = db.schema
    .createTable('known_device')
    .$call(strictTypes)
    .addColumn('hash', text, (column) => column.primaryKey())
    .addColumn('account_id', integer, (column) =>
      column.notNull().references('account.id').onDelete('cascade'),
    )
    .addColumn('last_sign_in_at', timestamp, (column) => column.notNull());
  await table.execute();
  const index = (name: string) => db.schema.createIndex(name).on('known_device');
  await index('known_device_account_id').column('account_id').execute();
  await index('known_device_last_sign_in_at').column('last_sign_in_at').execute();
}

/** The rows of deleted accounts stay, so that a token of their issuer does not create another one. */
async function createTrustedIdentity(
  db: MigrationContext,
  { integer, timestamp, text, strictTypes }: Columns,
): Promise<void> {
  const table = db.schema
    .createTable('trusted_identity')
    .$call(strictTypes)
    .addColumn('hash', text, (column) => column.primaryKey())
    .addColumn('account_id', integer, (column) => column.references('account.id').onDelete('set null'))
    .addColumn('created_at', timestamp, (column) => column.notNull());
  await table.execute();
  const index = db.schema.createIndex('trusted_identity_account_id').on('trusted_identity');
  await index.column('account_id').execute();
}
