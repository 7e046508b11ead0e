/** The requests of a caller in the current window, in all programs. */
export interface RateCountTable {
  /** The policy and the caller; primary key. */
  subject: string;
  count: number;
  /** The end of the window; the row is deleted later. */
  endsAt: Date;
}
