import { type Columns, type MigrationContext } from './columns';

/** One row per kind of periodic work: which program does it, and until when no other begins. */
export async function sweepLease(
  db: MigrationContext,
  { text, timestamp, strictTypes }: Columns,
): Promise<void> {
  const table = db.schema
    .createTable('sweep_lease')
    .$call(strictTypes)
    .addColumn('kind', text, (column) => column.primaryKey())
    .addColumn('holder', text, (column) => column.notNull())
    .addColumn('ends_at', timestamp, (column) => column.notNull());
  await table.execute();
}
