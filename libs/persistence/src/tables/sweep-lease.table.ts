/** Which program does a kind of periodic work; a row per kind. */
export interface SweepLeaseTable {
  /** Primary key. */
  kind: string;
  /** A random id of the program. */
  holder: string;
  /** No other program begins before, by the clock of the store. */
  endsAt: Date;
}
