/** The part of a list to read, in the list's own order. */
export interface Slice {
  /** Maximum number of rows. */
  readonly limit: number;
  /** Rows to skip. The store reads skipped rows too, so the cost grows with the offset. */
  readonly offset: number;
  /** Start after the row with this id (keyset pagination, constant cost); `offset` is ignored then. */
  readonly after?: number;
}
