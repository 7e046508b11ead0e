import { PostgresDialect } from 'kysely';
import { type CheckedDialect, type StoreHealth } from '../store-health';
import { type Timeouts } from '../timeouts';
import { PostgresPool } from './postgres-pool';

/** Kysely's PostgreSQL dialect with a pool of `pg`; connections are opened on demand. */
export class PooledPostgresDialect extends PostgresDialect implements CheckedDialect {
  readonly #pool: PostgresPool;

  constructor(url: string, timeouts: Timeouts) {
    const pool = new PostgresPool(url, timeouts);
    super({ pool });
    this.#pool = pool;
  }

  check(): Promise<StoreHealth> {
    return this.#pool.check();
  }

  close(): Promise<void> {
    return this.#pool.end();
  }
}
