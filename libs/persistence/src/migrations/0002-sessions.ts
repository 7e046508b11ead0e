import { type Columns, type MigrationContext } from './columns';

/** Sessions with their refresh tokens, the log of revocations, and two columns of accounts for revoking all tokens. */
export async function sessions(db: MigrationContext, columns: Columns): Promise<void> {
  await addTokenColumns(db, columns);
  await createSession(db, columns);
  await createRefreshToken(db, columns);
  await createRevocation(db, columns);
}

async function addTokenColumns(db: MigrationContext, { integer, text }: Columns): Promise<void> {
  const account = db.schema.alterTable('account');
  await account.addColumn('epoch', integer, (column) => column.notNull().defaultTo(0)).execute();
  await account.addColumn('kept_session', text).execute();
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
    .addColumn('ip', text, (column) => column.notNull())
    .addColumn('created_at', timestamp, (column) => column.notNull())
    .addColumn('last_used_at', timestamp, (column) => column.notNull())
    .addColumn('expires_at', timestamp, (column) => column.notNull())
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

async function createRevocation(
  db: MigrationContext,
  { integer, timestamp, text, id, strictTypes }: Columns,
): Promise<void> {
  const table = db.schema
    .createTable('revocation')
    .$call(strictTypes)
    .addColumn('id', integer, id)
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('subject', text, (column) => column.notNull())
    .addColumn('created_at', timestamp, (column) => column.notNull());
  await table.execute();
  await db.schema.createIndex('revocation_created_at').on('revocation').column('created_at').execute();
}
