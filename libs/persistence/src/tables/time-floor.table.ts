/** The latest time that the clock of the store has reached; one row. */
export interface TimeFloorTable {
  /** Primary key: 1. */
  id: number;
  reachedAt: Date;
}
