import { type Ids } from '../schema/columns';
import { defaultIds } from './ids/default-ids';
import { type Primary, type Replica } from './replica';

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

/** How a program connects to its database. */
export interface Connecting {
  readonly timeouts: Timeouts;
  /** Connections to PostgreSQL. */
  readonly poolSize: number;
  /** Whether a pooler such as pgbouncer gives a connection to each transaction anew: nothing is kept on it then. */
  readonly isPooled: boolean;
  /** PostgreSQL without that pooler, for migrations and notifications. */
  readonly directUrl?: string;
  /** Opens the replica from which lists are read; default none. */
  readonly openReplica?: (primary: Primary) => Replica;
  readonly ids: Ids;
}

/** The server's default `max_connections` is 100. */
export const defaultConnecting: Connecting = {
  timeouts: requestTimeouts,
  poolSize: 10,
  isPooled: false,
  ids: defaultIds,
};
