import { type Columns, type MigrationContext } from './columns';

/** Attempts to sign in, counted for all programs on one store. */
export async function attempts(
  db: MigrationContext,
  { whole, moment, text, strictTypes }: Columns,
): Promise<void> {
  const table = db.schema
    .createTable('attempt')
    .$call(strictTypes)
    .addColumn('subject', text, (column) => column.primaryKey())
    .addColumn('count', whole, (column) => column.notNull())
    .addColumn('started_at', moment, (column) => column.notNull())
    .addColumn('latest_at', moment, (column) => column.notNull());
  await table.execute();
  await db.schema.createIndex('attempt_latest_at').on('attempt').column('latest_at').execute();
}
