import { type Columns, defineTable, type MigrationContext } from '@app/persistence';

/**
 * The latest time of the database clock. Only programs from the previous release use the table, during an update and after a
 * rollback. Drop it in the next release.
 */
export interface ClockHighWaterMarkTable {
  /** The primary key: 1. */
  id: number;
  reachedAt: Date;
}

declare module '@app/persistence' {
  interface Tables {
    clockHighWaterMark: ClockHighWaterMarkTable;
  }
}

export const clockHighWaterMarkTable = defineTable('clockHighWaterMark', {
  secrecy: { id: 'internal', reachedAt: 'internal' },
  exported: 'nothing of an account',
  migrations: { '0016-clock-high-water-mark': { apply: createClockHighWaterMark } },
});

async function createClockHighWaterMark(
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
