import { type Columns, type MigrationContext } from './columns';

/** Failed sign-ins and sign-ups, counted for all processes that share the database. */
export async function attempts(
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
