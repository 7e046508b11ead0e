import { type Columns, type MigrationContext } from '../schema/columns';
import { defineTable } from '../schema/define-table';

/** The program that runs each kind of periodic job, with a row per kind. */
export interface JobLeaseTable {
  /** The primary key. */
  kind: string;
  /** A random id of the program. */
  holder: string;
  /** The database time before which no other program starts the job. */
  endsAt: Date;
}

declare module '@app/persistence' {
  interface Tables {
    jobLease: JobLeaseTable;
  }
}

export const jobLeaseTable = defineTable('jobLease', {
  secrecy: { kind: 'internal', holder: 'internal', endsAt: 'internal' },
  exported: 'nothing of an account',
  migrations: { '0014-job-lease': { apply: createJobLease } },
});

async function createJobLease(
  db: MigrationContext,
  { timestamp, text, strictTypes }: Columns,
): Promise<void> {
  const table = db.schema
    .createTable('job_lease')
    .$call(strictTypes)
    .addColumn('kind', text, (column) => column.primaryKey())
    .addColumn('holder', text, (column) => column.notNull())
    .addColumn('ends_at', timestamp, (column) => column.notNull());
  await table.execute();
}
