import { type Columns, type MigrationContext } from './columns';

/** The retention periods that programs state, so that the one that sweeps applies the longest. */
export async function retentions(
  db: MigrationContext,
  { integer, timestamp, text, strictTypes }: Columns,
): Promise<void> {
  const table = db.schema
    .createTable('retention')
    .$call(strictTypes)
    .addColumn('rule', text, (column) => column.notNull())
    .addColumn('keep_ms', integer, (column) => column.notNull())
    .addColumn('ends_at', timestamp, (column) => column.notNull())
    .addPrimaryKeyConstraint('retention_pkey', ['rule', 'keep_ms']);
  await table.execute();
}
