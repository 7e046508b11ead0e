import { type Columns, defineTable, type MigrationContext } from '@app/persistence';

/** The latest time of the database clock. Only programs of the release before use the table, during an update and after a rollback; drop it in the next release. */
export interface ClockHighWaterMarkTable {
  /** Primary key: 1. */
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
