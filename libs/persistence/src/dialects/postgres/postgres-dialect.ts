import {
  type CompiledQuery,
  type DatabaseIntrospector,
  type DialectAdapter,
  type Driver,
  PostgresDialect,
  type QueryResult,
} from 'kysely';
import { catalogueNames } from '../catalogue-names';
import { type CheckedDialect, type StoreHealth } from '../store-health';
import { type Connecting } from '../connecting';
import { LockingAdapter } from './locking-adapter';
import { type PostgresHosts, PostgresServers } from './postgres-servers';
import { withRowPolicies } from './row-policies';

/** The Kysely dialect for PostgreSQL, on `pg` pools. Connections are opened on demand. */
export class PooledPostgresDialect extends PostgresDialect implements CheckedDialect {
  private readonly servers: PostgresServers;
  private readonly connecting: Connecting;
  /** The driver for single statements. */
  private readonly driver: Driver;

  constructor(hosts: PostgresHosts, connecting: Connecting) {
    const servers = new PostgresServers(hosts, connecting);
    super({ pool: servers });
    this.servers = servers;
    this.connecting = connecting;
    this.driver = this.createDriver();
    void this.driver.init();
  }

  check(): Promise<StoreHealth> {
    return this.servers.check();
  }

  async run<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const connection = await this.driver.acquireConnection();
    try {
      return await connection.executeQuery<Row>(query);
    } finally {
      await this.driver.releaseConnection(connection);
    }
  }

  close(): Promise<void> {
    return this.servers.end();
  }

  override createDriver(): Driver {
    const { rowPolicies, timeouts } = this.connecting;
    const driver = super.createDriver();
    return rowPolicies === 'by statement' ? withRowPolicies(driver, timeouts.waitMs) : driver;
  }

  override createAdapter(): DialectAdapter {
    return new LockingAdapter();
  }

  override createIntrospector(
    ...[db]: Parameters<PostgresDialect['createIntrospector']>
  ): DatabaseIntrospector {
    return super.createIntrospector(db.withPlugin(catalogueNames));
  }
}
