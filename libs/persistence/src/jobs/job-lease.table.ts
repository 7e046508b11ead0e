import type { Generated } from 'kysely';
import { type Columns, type MigrationContext } from '../schema/columns';
import { defineTable } from '../schema/define-table';

/** The program that runs each periodic job kind, with a row per kind. */
export interface JobLeaseTable {
  /** The primary key. */
  kind: string;
  /** The program's random id. */
  holder: string;
  /** The database time before which no other program starts the job. */
  endsAt: Date;
  /** The start of the last run; `null` before. */
  startedAt: Generated<Date | null>;
  /** The end of the last run that was not interrupted, or the time when a program first saw the times of the job. */
  endedAt: Generated<Date | null>;
  /** The error of the run that ended last; `null` after a success. */
  failure: Generated<string | null>;
}

declare module '@app/persistence' {
  interface Tables {
    jobLease: JobLeaseTable;
  }
}

export const jobLeaseTable = defineTable('jobLease', {
  secrecy: {
    kind: 'operators',
    holder: 'internal',
    endsAt: 'internal',
    startedAt: 'operators',
    endedAt: 'operators',
    failure: 'operators',
  },
  openMembers: ['name', 'startedAt', 'endedAt', 'failure'],
  exported: 'nothing of an account',
  migrations: {
    '0014-job-lease': { apply: createJobLease },
    '0028-job-result': { apply: addResult },
  },
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

async function addResult({ schema }: MigrationContext, { timestamp, text }: Columns): Promise<void> {
  await schema.alterTable('job_lease').addColumn('started_at', timestamp).execute();
  await schema.alterTable('job_lease').addColumn('ended_at', timestamp).execute();
  await schema.alterTable('job_lease').addColumn('failure', text).execute();
}
