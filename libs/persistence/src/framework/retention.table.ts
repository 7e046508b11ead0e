import { defineTable } from '../schema/define-table';

/** How long a program keeps the rows of a rule; a row per rule and period. */
export interface RetentionTable {
  /** First column of the primary key. */
  rule: string;
  /** In milliseconds; second column of the primary key. */
  keepMs: number;
  /** The period counts until then, by the clock of the store. */
  endsAt: Date;
}

declare module '../schema/tables' {
  interface Tables {
    retention: RetentionTable;
  }
}

export const retentionTable = defineTable('retention', {
  secrecy: { rule: 'internal', keepMs: 'internal', endsAt: 'internal' },
  exported: 'nothing of an account',
});
