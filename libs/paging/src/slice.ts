/** Which part of a list to read, in the list's own order. */
export interface Slice {
  /** At most so many rows. */
  readonly limit: number;
  /** Rows to pass over; what is passed over is still read, so it is for small numbers. */
  readonly offset: number;
  /** Read on after the row of this id, at the same cost however far; `offset` has no meaning then. */
  readonly after?: number;
}
