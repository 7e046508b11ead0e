import { type Columns, type MigrationContext } from './columns';

/** The responses to requests that may be repeated. */
export async function idempotencyKeys(
  db: MigrationContext,
  { integer, timestamp, text, strictTypes }: Columns,
): Promise<void> {
  await db.schema
    .createTable('idempotency_key')
    .$call(strictTypes)
    .addColumn('id', text, (column) => column.primaryKey())
    .addColumn('fingerprint', text, (column) => column.notNull())
    .addColumn('response_status', integer, (column) => column.notNull())
    .addColumn('response_headers', text, (column) => column.notNull())
    .addColumn('response_body', text)
    .addColumn('created_at', timestamp, (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('idempotency_key_created_at')
    .on('idempotency_key')
    .column('created_at')
    .execute();
}
