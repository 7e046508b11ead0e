import { defineTable } from '../schema/define-table';

/** Which program runs a kind of periodic job; a row per kind. */
export interface JobLeaseTable {
  /** Primary key. */
  kind: string;
  /** A random id of the program. */
  holder: string;
  /** No other program starts it before, by the database clock. */
  endsAt: Date;
}

declare module '../schema/tables' {
  interface Tables {
    jobLease: JobLeaseTable;
  }
}

export const jobLeaseTable = defineTable('jobLease', {
  secrecy: { kind: 'internal', holder: 'internal', endsAt: 'internal' },
  exported: 'nothing of an account',
});
