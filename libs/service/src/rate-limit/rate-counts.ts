import type { PendingCount } from './rate-window';

/** The place where programs add up their counts: the database, or a provider that a plugin registers under this token. */
export abstract class RateCounts {
  /** Adds each count to the same subject and window. An empty list connects. @returns the totals by subject */
  abstract add(counts: readonly PendingCount[]): Promise<ReadonlyMap<string, number>>;
  /** Deletes counts of windows that ended before, unless they expire. @returns the number; `limit` if there may be more */
  deleteOlder?(before: Date, limit: number): Promise<number>;
  /** Closes its own connection. */
  close?(): void;
}
