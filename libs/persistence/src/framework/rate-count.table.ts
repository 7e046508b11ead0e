import { defineTable } from '../schema/define-table';

/** The requests of a caller in the current window, in all programs. */
export interface RateCountTable {
  /** The policy and the caller; primary key. */
  subject: string;
  count: number;
  /** The end of the window; the row is deleted later. */
  endsAt: Date;
}

declare module '../schema/tables' {
  interface Tables {
    rateCount: RateCountTable;
  }
}

export const rateCountTable = defineTable('rateCount', {
  secrecy: { subject: 'internal', count: 'internal', endsAt: 'internal' },
  exported: { not: 'counts under a hash, until the window is over' },
});
