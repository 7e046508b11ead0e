import { type Columns, type MigrationContext } from '../schema/columns';

/** Revocations, the audit log, and the counters of attempts. No foreign keys: these rows outlive the accounts that they name. */
export async function createSecurityTables(db: MigrationContext, columns: Columns): Promise<void> {
  await createRevocation(db, columns);
  await createAuditEvent(db, columns);
  await createAuditBlock(db, columns);
  await createAttempt(db, columns);
}

/** The primary key has the program first: its entries are read in their order, and programs write to different places. */
async function createRevocation(
  db: MigrationContext,
  { integer, timestamp, text, strictTypes }: Columns,
): Promise<void> {
  const table = db.schema
    .createTable('revocation')
    .$call(strictTypes)
    .addColumn('program', text, (column) => column.notNull())
    .addColumn('number', integer, (column) => column.notNull())
    .addColumn('settled_below', integer, (column) => column.notNull())
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('subject', text, (column) => column.notNull())
    .addColumn('created_at', timestamp, (column) => column.notNull())
    .addPrimaryKeyConstraint('revocation_pkey', ['program', 'number']);
  await table.execute();
  const index = (name: string) => db.schema.createIndex(name).on('revocation');
  await index('revocation_created_at').column('created_at').execute();
  await index('revocation_subject').column('subject').execute();
}

/** Read by account, by kind or by both, newest first, and deleted by age. */
async function createAuditEvent(
  db: MigrationContext,
  { integer, timestamp, text, id, strictTypes }: Columns,
): Promise<void> {
  const table = db.schema
    .createTable('audit_event')
    .$call(strictTypes)
    .addColumn('id', integer, id)
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('account_id', integer)
    .addColumn('actor_id', integer)
    .addColumn('ip', text)
    .addColumn('program', text)
    .addColumn('detail', text, (column) => column.notNull())
    .addColumn('created_at', timestamp, (column) => column.notNull())
    .addColumn('block', integer);
  await table.execute();
  const index = (name: string) => db.schema.createIndex(name).on('audit_event');
  await index('audit_event_account_id_id').columns(['account_id', 'id']).execute();
  await index('audit_event_account_id_kind_id').columns(['account_id', 'kind', 'id']).execute();
  await index('audit_event_kind_id').columns(['kind', 'id']).execute();
  await index('audit_event_block_id').columns(['block', 'id']).execute();
  await index('audit_event_created_at').column('created_at').execute();
}

async function createAuditBlock(
  db: MigrationContext,
  { integer, timestamp, text, strictTypes }: Columns,
): Promise<void> {
  const table = db.schema
    .createTable('audit_block')
    .$call(strictTypes)
    .addColumn('number', integer, (column) => column.primaryKey())
    .addColumn('events', integer, (column) => column.notNull())
    .addColumn('digest', text, (column) => column.notNull())
    .addColumn('hash', text, (column) => column.notNull())
    .addColumn('newest_at', timestamp, (column) => column.notNull())
    .addColumn('pruned_from', integer)
    .addColumn('pruned_to', integer)
    .addColumn('pruned_by', integer);
  await table.execute();
  await db.schema
    .createIndex('audit_block_pruned_by_number')
    .on('audit_block')
    .columns(['pruned_by', 'number'])
    .execute();
}

async function createAttempt(
  db: MigrationContext,
  { integer, timestamp, text, strictTypes }: Columns,
): Promise<void> {
  const table = db.schema
    .createTable('attempt')
    .$call(strictTypes)
    .addColumn('subject', text, (column) => column.primaryKey())
    .addColumn('count', integer, (column) => column.notNull())
    .addColumn('started_at', timestamp, (column) => column.notNull())
    .addColumn('latest_at', timestamp, (column) => column.notNull());
  await table.execute();
  await db.schema.createIndex('attempt_latest_at').on('attempt').column('latest_at').execute();
}
