import { sql } from 'kysely';
import { type Columns, type MigrationContext } from '../schema/columns';

/** The outbox of mails, and what the programs that share a database coordinate by. */
export async function createServiceTables(db: MigrationContext, columns: Columns): Promise<void> {
  await createMail(db, columns);
  await createIdempotencyKey(db, columns);
  await createRateCount(db, columns);
  await createCoordination(db, columns);
}

/** Mails that wait are sent in turn by what caused them, and deleted by age. */
async function createMail(
  db: MigrationContext,
  { integer, timestamp, text, id, strictTypes }: Columns,
): Promise<void> {
  const table = db.schema
    .createTable('mail')
    .$call(strictTypes)
    .addColumn('id', integer, id)
    .addColumn('account_id', integer)
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('recipient', text, (column) => column.notNull())
    .addColumn('cause', text, (column) => column.notNull().defaultTo('operator'))
    .addColumn('sealed', text)
    .addColumn('message_id', text, (column) => column.notNull())
    .addColumn('attempts', integer, (column) => column.notNull().defaultTo(0))
    .addColumn('due_at', timestamp)
    .addColumn('expires_at', timestamp, (column) => column.notNull())
    .addColumn('sent_at', timestamp)
    .addColumn('failure', text)
    .addColumn('created_at', timestamp, (column) => column.notNull())
    .addUniqueConstraint('mail_message_id_unique', ['message_id']);
  await table.execute();
  const index = (name: string) => db.schema.createIndex(name).on('mail');
  const waiting = (name: string) => index(name).where(sql.ref('due_at'), 'is not', null);
  await index('mail_account_id_id').columns(['account_id', 'id']).execute();
  await index('mail_created_at').column('created_at').execute();
  await waiting('mail_waiting').columns(['cause', 'recipient', 'id']).execute();
  await waiting('mail_waiting_recipient').columns(['recipient', 'id']).execute();
}

async function createIdempotencyKey(
  db: MigrationContext,
  { integer, timestamp, text, strictTypes }: Columns,
): Promise<void> {
  const table = db.schema
    .createTable('idempotency_key')
    .$call(strictTypes)
    .addColumn('id', text, (column) => column.primaryKey())
    .addColumn('fingerprint', text, (column) => column.notNull())
    .addColumn('response_status', integer, (column) => column.notNull())
    .addColumn('response_headers', text, (column) => column.notNull())
    .addColumn('response_body', text)
    .addColumn('created_at', timestamp, (column) => column.notNull());
  await table.execute();
  const index = db.schema.createIndex('idempotency_key_created_at').on('idempotency_key');
  await index.column('created_at').execute();
}

async function createRateCount(
  db: MigrationContext,
  { integer, timestamp, text, strictTypes }: Columns,
): Promise<void> {
  const table = db.schema
    .createTable('rate_count')
    .$call(strictTypes)
    .addColumn('subject', text, (column) => column.primaryKey())
    .addColumn('count', integer, (column) => column.notNull())
    .addColumn('ends_at', timestamp, (column) => column.notNull());
  await table.execute();
  await db.schema.createIndex('rate_count_ends_at').on('rate_count').column('ends_at').execute();
}

/** Tables of few rows: the leases of periodic jobs, the retention periods, and the high-water mark of the database clock. */
async function createCoordination(
  db: MigrationContext,
  { integer, timestamp, text, strictTypes }: Columns,
): Promise<void> {
  const table = (name: string) => db.schema.createTable(name).$call(strictTypes);
  await table('job_lease')
    .addColumn('kind', text, (column) => column.primaryKey())
    .addColumn('holder', text, (column) => column.notNull())
    .addColumn('ends_at', timestamp, (column) => column.notNull())
    .execute();
  await table('retention')
    .addColumn('rule', text, (column) => column.notNull())
    .addColumn('keep_ms', integer, (column) => column.notNull())
    .addColumn('ends_at', timestamp, (column) => column.notNull())
    .addPrimaryKeyConstraint('retention_pkey', ['rule', 'keep_ms'])
    .execute();
  await table('clock_high_water_mark')
    .addColumn('id', integer, (column) => column.primaryKey())
    .addColumn('reached_at', timestamp, (column) => column.notNull())
    .execute();
}
