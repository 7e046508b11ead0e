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
import { type TimeIds } from './ids/time-ids';

/** A transaction, as far as it executes queries. */
type Shared = Pick<Kysely<Tables>, 'executeQuery'>;

/** Finds the transaction that the current asynchronous context shares, if there is one. */
export type FindShared = () => Shared | undefined;

/** A dialect whose connections are that of the shared transaction, where there is one. */
export class JoiningDialect implements Dialect {
  private readonly dialect: Dialect;
  private readonly findShared: FindShared;
  private readonly ids: TimeIds | undefined;

  /** @param ids reserved before a connection is used; none if sequences generate them */
  constructor(dialect: Dialect, findShared: FindShared, ids?: TimeIds) {
    this.dialect = dialect;
    this.findShared = findShared;
    this.ids = ids;
  }

  createDriver(): Driver {
    return new JoiningDriver(this.dialect.createDriver(), this.findShared, this.ids);
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
  private readonly ids: TimeIds | undefined;

  constructor(driver: Driver, findShared: FindShared, ids: TimeIds | undefined) {
    this.driver = driver;
    this.findShared = findShared;
    this.ids = ids;
  }

  init(): Promise<void> {
    return this.driver.init();
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    const shared = this.findShared();
    if (shared !== undefined) return new JoinedConnection(shared);
    await this.ids?.ready();
    return this.driver.acquireConnection();
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
