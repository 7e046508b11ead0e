import { type Columns, type MigrationContext } from './columns';

/** One row: the latest time that the clock of this store has reached. */
export async function timeFloor(
  db: MigrationContext,
  { integer, timestamp, strictTypes }: Columns,
): Promise<void> {
  const table = db.schema
    .createTable('time_floor')
    .$call(strictTypes)
    .addColumn('id', integer, (column) => column.primaryKey())
    .addColumn('reached_at', timestamp, (column) => column.notNull());
  await table.execute();
}
