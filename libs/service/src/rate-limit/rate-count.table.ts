import { type Columns, defineTable, type MigrationContext } from '@app/persistence';

/** The requests of a caller in the current window, in all programs. */
export interface RateCountTable {
  /** The policy and the caller. Primary key. */
  subject: string;
  count: number;
  /** The end of the window. The row is deleted later. */
  endsAt: Date;
}

declare module '@app/persistence' {
  interface Tables {
    rateCount: RateCountTable;
  }
}

export const rateCountTable = defineTable('rateCount', {
  secrecy: { subject: 'internal', count: 'internal', endsAt: 'internal' },
  exported: { not: 'counts by user or address, until the window is over' },
  migrations: { '0002-rate-count': { apply: createRateCount } },
});

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
