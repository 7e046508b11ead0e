import {
  type CompiledQuery,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type DialectAdapter,
  type Driver,
  type Kysely,
  type QueryCompiler,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import { type Tables } from '../schema/tables';

/** A transaction, as far as it executes queries. */
type Shared = Pick<Kysely<Tables>, 'executeQuery'>;

/** Finds the transaction that the current asynchronous context shares, if there is one. */
export type FindShared = () => Shared | undefined;

/** A dialect whose connections are that of the shared transaction, where there is one. */
export class JoiningDialect implements Dialect {
  private readonly dialect: Dialect;
  private readonly findShared: FindShared;

  constructor(dialect: Dialect, findShared: FindShared) {
    this.dialect = dialect;
    this.findShared = findShared;
  }

  createDriver(): Driver {
    return new JoiningDriver(this.dialect.createDriver(), this.findShared);
  }

  createQueryCompiler(): QueryCompiler {
    return this.dialect.createQueryCompiler();
  }

  createAdapter(): DialectAdapter {
    return this.dialect.createAdapter();
  }

  createIntrospector(...[db]: Parameters<Dialect['createIntrospector']>): DatabaseIntrospector {
    return this.dialect.createIntrospector(db);
  }
}

class JoiningDriver implements Driver {
  private readonly driver: Driver;
  private readonly findShared: FindShared;

  constructor(driver: Driver, findShared: FindShared) {
    this.driver = driver;
    this.findShared = findShared;
  }

  init(): Promise<void> {
    return this.driver.init();
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    const shared = this.findShared();
    return shared === undefined ? this.driver.acquireConnection() : new JoinedConnection(shared);
  }

  /** @throws {TypeError} in a shared transaction, which `inTransaction` joins */
  beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    if (connection instanceof JoinedConnection)
      throw new TypeError('begin a transaction by inTransaction: it joins the shared one');
    return this.driver.beginTransaction(connection, settings);
  }

  commitTransaction(connection: DatabaseConnection): Promise<void> {
    return this.driver.commitTransaction(connection);
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (!(connection instanceof JoinedConnection)) await this.driver.rollbackTransaction(connection);
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    if (!(connection instanceof JoinedConnection)) await this.driver.releaseConnection(connection);
  }

  destroy(): Promise<void> {
    return this.driver.destroy();
  }
}

class JoinedConnection implements DatabaseConnection {
  private readonly shared: Shared;

  constructor(shared: Shared) {
    this.shared = shared;
  }

  executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.shared.executeQuery<Row>(query);
  }

  /** Not supported, as outside of a transaction. */
  streamQuery(): AsyncIterableIterator<never> {
    throw new TypeError('queries are not streamed: read a page at a time');
  }
}
