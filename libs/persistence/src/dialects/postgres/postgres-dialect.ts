import {
  type CompiledQuery,
  type DatabaseIntrospector,
  type DialectAdapter,
  type Driver,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryCompiler,
  type QueryResult,
} from 'kysely';
import { catalogueNames } from '../catalogue-names';
import { type CheckedDialect, type StoreHealth } from '../store-health';
import { type Connecting, lockTimeoutOf } from '../timeouts';
import { LockingAdapter } from './locking-adapter';
import { PostgresDriver } from './postgres-driver';
import { IDLE_IN_TRANSACTION_MS, type PostgresHosts, PostgresPool } from './postgres-pool';

/** A Kysely dialect for PostgreSQL, by `pg`; connections are opened on demand. */
export class PooledPostgresDialect implements CheckedDialect {
  private readonly pool: PostgresPool;
  private readonly connecting: Connecting;

  constructor(hosts: PostgresHosts, connecting: Connecting) {
    this.pool = new PostgresPool(hosts, connecting);
    this.connecting = connecting;
  }

  check(): Promise<StoreHealth> {
    return this.pool.check();
  }

  async run<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const connection = await this.pool.connect();
    try {
      return await connection.executeQuery<Row>(query);
    } finally {
      connection.release();
    }
  }

  close(): Promise<void> {
    return this.pool.end();
  }

  createDriver(): Driver {
    return new PostgresDriver(this.pool, beginOptions(this.connecting));
  }

  createQueryCompiler(): QueryCompiler {
    return new PostgresQueryCompiler();
  }

  createAdapter(): DialectAdapter {
    return new LockingAdapter();
  }

  createIntrospector(...[db]: ConstructorParameters<typeof PostgresIntrospector>): DatabaseIntrospector {
    return new PostgresIntrospector(db.withPlugin(catalogueNames));
  }
}

/** Behind a pooler, timeouts that are set for a connection would be those of other programs. */
function beginOptions({ isPooled, timeouts }: Connecting): string {
  if (!isPooled) return '';
  return `; set local statement_timeout = ${timeouts.statementMs}; set local lock_timeout = ${lockTimeoutOf(timeouts)}; set local idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}`;
}
