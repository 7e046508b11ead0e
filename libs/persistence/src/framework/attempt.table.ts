import { type Selectable } from 'kysely';
import { defineTable } from '../schema/define-table';

/** A counter of recent failed sign-ins, or of sign-ups, by account or address. */
export interface AttemptTable {
  /** A kind and a hash, because a password may have been typed as a username. Primary key. */
  subject: string;
  /** Attempts within the limit since {@link startedAt}. */
  count: number;
  startedAt: Date;
  /** The last attempt within the limit. */
  latestAt: Date;
}

/** A selected counter. */
export type AttemptRow = Selectable<AttemptTable>;

declare module '../schema/tables' {
  interface Tables {
    attempt: AttemptTable;
  }
}

export const attemptTable = defineTable('attempt', {
  secrecy: { subject: 'secret', count: 'internal', startedAt: 'internal', latestAt: 'internal' },
  exported: { not: 'counts under hashes of names and addresses, some of which were never an account' },
});
