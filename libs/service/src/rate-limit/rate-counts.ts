import type { PendingCount } from './rate-window';

/** Where programs add up their counts: the database, or what a plugin provides under this token. */
export abstract class RateCounts {
  /** Adds counts, each to the count of its subject in the same window; an empty list connects. @returns the totals by subject */
  abstract add(counts: readonly PendingCount[]): Promise<ReadonlyMap<string, number>>;
  /** Deletes counts of windows that ended before, unless they expire. @returns the number deleted; `limit` if there may be more */
  deleteOlder?(before: Date, limit: number): Promise<number>;
  /** Closes a connection of its own. */
  close?(): void;
}
