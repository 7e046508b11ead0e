import { type Columns, type MigrationContext } from '../schema/columns';
import { defineTable } from '../schema/define-table';

/** The latest time that the database clock has reached; one row. */
export interface ClockHighWaterMarkTable {
  /** Primary key: 1. */
  id: number;
  reachedAt: Date;
}

declare module '../schema/tables' {
  interface Tables {
    clockHighWaterMark: ClockHighWaterMarkTable;
  }
}

export const clockHighWaterMarkTable = defineTable('clockHighWaterMark', {
  secrecy: { id: 'internal', reachedAt: 'internal' },
  exported: 'nothing of an account',
});

export async function createClockHighWaterMark(
  db: MigrationContext,
  { integer, timestamp, strictTypes }: Columns,
): Promise<void> {
  const table = db.schema
    .createTable('clock_high_water_mark')
    .$call(strictTypes)
    .addColumn('id', integer, (column) => column.primaryKey())
    .addColumn('reached_at', timestamp, (column) => column.notNull());
  await table.execute();
}
