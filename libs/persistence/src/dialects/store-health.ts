import { type CompiledQuery, type Dialect, type QueryResult } from 'kysely';
import { StoreUnavailableError } from '../errors';

/** A database's current state. */
export interface StoreHealth {
  /** The state. For `read-only` reads succeed, and the last write failed. For `unavailable` requests should go elsewhere. */
  readonly state: 'ok' | 'read-only' | 'unavailable';
  /** The reason why the state is not `ok`. */
  readonly error?: StoreUnavailableError;
}

/** A dialect that can check its database's health. */
export interface CheckedDialect extends Dialect {
  /** Queries the database within two seconds. Never throws. */
  check(): Promise<StoreHealth>;
  /** Executes a query outside a transaction. */
  run<Row>(query: CompiledQuery): Promise<QueryResult<Row>>;
  /** Closes its connections. Idempotent. */
  close(): Promise<void>;
}

/** The health that an error indicates. */
export function unavailable(error: unknown): StoreHealth {
  const isUnavailable = error instanceof StoreUnavailableError;
  return {
    state: 'unavailable',
    error: isUnavailable ? error : new StoreUnavailableError(String(error), { cause: error }),
  };
}
