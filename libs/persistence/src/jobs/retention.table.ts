import { type Columns, type MigrationContext } from '../schema/columns';
import { defineTable } from '../schema/define-table';

/** The time for which a program keeps a rule's rows, with a row per rule and period. */
export interface RetentionTable {
  /** The rule; first column of the primary key. */
  rule: string;
  /** The period in milliseconds; the second column of the primary key. */
  keepMs: number;
  /** The time until which the period counts, by the store clock. */
  endsAt: Date;
}

declare module '@app/persistence' {
  interface Tables {
    retention: RetentionTable;
  }
}

export const retentionTable = defineTable('retention', {
  secrecy: { rule: 'internal', keepMs: 'internal', endsAt: 'internal' },
  exported: 'nothing of an account',
  migrations: { '0015-retention': { apply: createRetention } },
});

async function createRetention(
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
