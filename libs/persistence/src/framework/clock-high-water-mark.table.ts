import { defineTable } from '../schema/define-table';

/** The latest time that the database clock has reached; one row. */
export interface ClockHighWaterMarkTable {
  /** Primary key: 1. */
  id: number;
  reachedAt: Date;
}

declare module '../schema/tables' {
  interface Tables {
    clockHighWaterMark: ClockHighWaterMarkTable;
  }
}

export const clockHighWaterMarkTable = defineTable('clockHighWaterMark', {
  secrecy: { id: 'internal', reachedAt: 'internal' },
  exported: 'nothing of an account',
});
