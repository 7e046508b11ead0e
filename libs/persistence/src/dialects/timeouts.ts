/** Milliseconds after which a query throws a `StoreUnavailableError`. */
export interface Timeouts {
  /** To obtain a pooled connection or the write lock, and to retry a transaction after a conflict. */
  readonly waitMs: number;
  /** `statement_timeout` of PostgreSQL; 0 is none. A SQLite statement is synchronous and cannot be interrupted. */
  readonly statementMs: number;
}

/** `lock_timeout` of PostgreSQL; 0 is none, for statements of any duration, as those of migrations. */
export function lockTimeoutOf({ waitMs, statementMs }: Timeouts): number {
  return statementMs === 0 ? 0 : waitMs;
}

/** While handling a request, by default. */
export const requestTimeouts: Timeouts = { waitMs: 5_000, statementMs: 10_000 };

/** While migrating: another program may hold the lock, and an index on a large table takes minutes. */
export const migrationTimeouts: Timeouts = { waitMs: 120_000, statementMs: 0 };
