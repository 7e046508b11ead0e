import {
  type CompiledQuery,
  type DatabaseIntrospector,
  type DialectAdapter,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryCompiler,
  type QueryResult,
} from 'kysely';
import { type CheckedDialect, type StoreHealth } from '../store-health';
import { type Timeouts } from '../timeouts';
import { PostgresDriver } from './postgres-driver';
import { PostgresPool } from './postgres-pool';

/** A Kysely dialect for PostgreSQL, by `pg`; connections are opened on demand. */
export class PooledPostgresDialect implements CheckedDialect {
  readonly #pool: PostgresPool;

  constructor(url: string, timeouts: Timeouts) {
    this.#pool = new PostgresPool(url, timeouts);
  }

  check(): Promise<StoreHealth> {
    return this.#pool.check();
  }

  async run<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const connection = await this.#pool.connect();
    try {
      return await connection.executeQuery<Row>(query);
    } finally {
      connection.release();
    }
  }

  close(): Promise<void> {
    return this.#pool.end();
  }

  createDriver(): Driver {
    return new PostgresDriver(this.#pool);
  }

  createQueryCompiler(): QueryCompiler {
    return new PostgresQueryCompiler();
  }

  createAdapter(): DialectAdapter {
    return new PostgresAdapter();
  }

  createIntrospector(...[db]: ConstructorParameters<typeof PostgresIntrospector>): DatabaseIntrospector {
    return new PostgresIntrospector(db);
  }
}
