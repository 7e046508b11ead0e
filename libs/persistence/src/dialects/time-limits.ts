/** How long a store may take before a {@link StoreUnavailableError}; in milliseconds. */
export interface TimeLimits {
  /** Waiting for one's turn: a free connection, the write lock, a serializable transaction that goes through. */
  readonly turnMs: number;
  /** One statement at work on PostgreSQL; 0 is no limit. SQLite works in our own thread, where no clock can stop it. */
  readonly statementMs: number;
}

/** For requests: somebody is waiting for the answer. */
export const requestLimits: TimeLimits = { turnMs: 5_000, statementMs: 10_000 };

/** For migrations: another program may be at it, and an index on a large table takes its time. */
export const migrationLimits: TimeLimits = { turnMs: 120_000, statementMs: 0 };
