/** The times in milliseconds after which a query throws a `StoreUnavailableError`. */
export interface Timeouts {
  /** The waiting time for a pooled connection or the write lock, and for retrying a transaction after a conflict. */
  readonly waitMs: number;
  /** The PostgreSQL `statement_timeout`; 0 disables it. A SQLite statement is synchronous and always runs to its end. */
  readonly statementMs: number;
}

/** Returns the PostgreSQL `lock_timeout`. It is 0 (disabled) for statements without a time limit, such as migrations. */
export function lockTimeoutOf({ waitMs, statementMs }: Timeouts): number {
  return statementMs === 0 ? 0 : waitMs;
}

/** The default timeouts while handling a request. */
export const requestTimeouts: Timeouts = { waitMs: 5_000, statementMs: 10_000 };

/** The timeouts for migrations. A different program may hold the lock, and an index on a large table takes minutes. */
export const migrationTimeouts: Timeouts = { waitMs: 120_000, statementMs: 0 };
