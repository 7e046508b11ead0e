import { type Columns, defineTable, type MigrationContext } from '@app/persistence';
import { type Selectable } from 'kysely';

/** A counter for recent failed sign-ins or sign-ups, by account or address. */
export interface AttemptTable {
  /** A kind and a hash, because a password may have been typed as a username. Primary key. */
  subject: string;
  /** The number of attempts within the limit since {@link startedAt}. */
  count: number;
  startedAt: Date;
  /** The time of the last attempt within the limit. */
  latestAt: Date;
}

/** A selected counter. */
export type AttemptRow = Selectable<AttemptTable>;

declare module '@app/persistence' {
  interface Tables {
    attempt: AttemptTable;
  }
}

export const attemptTable = defineTable('attempt', {
  secrecy: { subject: 'secret', count: 'internal', startedAt: 'internal', latestAt: 'internal' },
  exported: { not: 'counts under hashes of names and addresses, some of which were never an account' },
  migrations: { '0013-attempt': { apply: createAttempt } },
});

async function createAttempt(
  db: MigrationContext,
  { integer, timestamp, text, strictTypes }: Columns,
): Promise<void> {
  const table = db.schema
    .createTable('attempt')
    .$call(strictTypes)
    .addColumn('subject', text, (column) => column.primaryKey())
    .addColumn('count', integer, (column) => column.notNull())
    .addColumn('started_at', timestamp, (column) => column.notNull())
    .addColumn('latest_at', timestamp, (column) => column.notNull());
  await table.execute();
  await db.schema.createIndex('attempt_latest_at').on('attempt').column('latest_at').execute();
}
