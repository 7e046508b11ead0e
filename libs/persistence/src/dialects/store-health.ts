import { type CompiledQuery, type Dialect, type QueryResult } from 'kysely';
import { StoreUnavailableError } from '../errors';

/** What a database can do now. */
export interface StoreHealth {
  /** `read-only`: reads succeed, and the last write did not. `unavailable`: requests should go elsewhere. */
  readonly state: 'ok' | 'read-only' | 'unavailable';
  /** Why it is not `ok`. */
  readonly error?: StoreUnavailableError;
}

/** A dialect that can say how its database does. */
export interface CheckedDialect extends Dialect {
  /** Asks the database. Does not throw, and takes two seconds at most. */
  check(): Promise<StoreHealth>;
  /** Executes one query, outside a transaction. */
  run<Row>(query: CompiledQuery): Promise<QueryResult<Row>>;
  /** Closes its connections. Idempotent. */
  close(): Promise<void>;
}

/** The health that an error tells of. */
export function unavailable(error: unknown): StoreHealth {
  const known = error instanceof StoreUnavailableError;
  return {
    state: 'unavailable',
    error: known ? error : new StoreUnavailableError(String(error), { cause: error }),
  };
}
