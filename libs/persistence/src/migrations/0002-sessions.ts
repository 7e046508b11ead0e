import { type Columns, type MigrationContext } from './columns';

/** Sessions with their refresh tokens, the log of revocations, and what an account knows of its own tokens. */
export async function sessions(db: MigrationContext, columns: Columns): Promise<void> {
  await addEpoch(db, columns);
  await createSession(db, columns);
  await createRefreshToken(db, columns);
  await createRevocation(db, columns);
}

async function addEpoch(db: MigrationContext, { whole, text }: Columns): Promise<void> {
  const epoch = db.schema.alterTable('account');
  await epoch.addColumn('epoch', whole, (column) => column.notNull().defaultTo(0)).execute();
  await db.schema.alterTable('account').addColumn('kept_session', text).execute();
}

async function createSession(
  db: MigrationContext,
  { whole, moment, text, id, strictTypes }: Columns,
): Promise<void> {
  const table = db.schema
    .createTable('session')
    .$call(strictTypes)
    .addColumn('id', whole, id)
    .addColumn('account_id', whole, (column) => column.notNull().references('account.id').onDelete('cascade'))
    .addColumn('sid', text, (column) => column.notNull())
    .addColumn('tag_key', text, (column) => column.notNull())
    .addColumn('ip', text, (column) => column.notNull())
    .addColumn('created_at', moment, (column) => column.notNull())
    .addColumn('last_used_at', moment, (column) => column.notNull())
    .addColumn('expires_at', moment, (column) => column.notNull())
    .addUniqueConstraint('session_sid_unique', ['sid']);
  await table.execute();
  await db.schema.createIndex('session_account_id_id').on('session').columns(['account_id', 'id']).execute();
  await db.schema.createIndex('session_expires_at').on('session').column('expires_at').execute();
}

async function createRefreshToken(
  db: MigrationContext,
  { whole, moment, text, strictTypes }: Columns,
): Promise<void> {
  const table = db.schema
    .createTable('refresh_token')
    .$call(strictTypes)
    .addColumn('hash', text, (column) => column.primaryKey())
    .addColumn('session_id', whole, (column) => column.notNull().references('session.id').onDelete('cascade'))
    .addColumn('turned_at', moment)
    .addColumn('salt', text);
  await table.execute();
  await db.schema.createIndex('refresh_token_session_id').on('refresh_token').column('session_id').execute();
}

async function createRevocation(
  db: MigrationContext,
  { whole, moment, text, id, strictTypes }: Columns,
): Promise<void> {
  const table = db.schema
    .createTable('revocation')
    .$call(strictTypes)
    .addColumn('id', whole, id)
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('subject', text, (column) => column.notNull())
    .addColumn('created_at', moment, (column) => column.notNull());
  await table.execute();
  await db.schema.createIndex('revocation_created_at').on('revocation').column('created_at').execute();
}
