import {
  type CompiledQuery,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type DialectAdapter,
  type Driver,
  type QueryCompiler,
  type QueryResult,
  SelectQueryNode,
  SqliteAdapter,
  SqliteIntrospector,
} from 'kysely';
import { publishEnd, storeChannels } from '../../channels';
import { bindParameters } from '../bind-parameters';
import { type Bindable } from '../bindable';
import { catalogueNames } from '../catalogue-names';
import { type CheckedDialect, type StoreHealth } from '../store-health';
import { type Timeouts } from '../timeouts';
import { type SqliteResult, type SqliteValue } from './node-sqlite';
import { SqliteCompiler } from './sqlite-compiler';
import { SqliteStore } from './sqlite-store';
import { type SqliteTransaction } from './sqlite-transaction';

/** A Kysely dialect for one SQLite file, by `node:sqlite`. */
export class NodeSqliteDialect implements CheckedDialect {
  private readonly store: SqliteStore;
  /** Outside of transactions. */
  private readonly session: SqliteSession;

  constructor(path: string, timeouts: Timeouts) {
    this.store = new SqliteStore(path, timeouts);
    this.session = new SqliteSession(this.store);
  }

  check(): Promise<StoreHealth> {
    return this.store.check();
  }

  run<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.session.executeQuery<Row>(query);
  }

  /** See {@link SqliteStore.restartWal}. */
  restartWal(readRest: () => Promise<void>, restarted: () => void): Promise<void> {
    return this.store.restartWal(readRest, restarted);
  }

  async close(): Promise<void> {
    await this.store.close();
  }

  createDriver(): Driver {
    return new NodeSqliteDriver(this.store);
  }

  createQueryCompiler(): QueryCompiler {
    return new SqliteCompiler();
  }

  createAdapter(): DialectAdapter {
    return new NodeSqliteAdapter();
  }

  createIntrospector(...[db]: ConstructorParameters<typeof SqliteIntrospector>): DatabaseIntrospector {
    return new SqliteIntrospector(db.withPlugin(catalogueNames));
  }
}

/** Kysely's own adapter assumes a single connection, and would serialize reads with writes. */
class NodeSqliteAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }

  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class NodeSqliteDriver implements Driver {
  private readonly store: SqliteStore;

  constructor(store: SqliteStore) {
    this.store = store;
  }

  /** The store opens its file on first use. */
  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return new SqliteSession(this.store);
  }

  async beginTransaction(session: SqliteSession): Promise<void> {
    await session.begin();
  }

  async commitTransaction(session: SqliteSession): Promise<void> {
    await session.commit();
  }

  async rollbackTransaction(session: SqliteSession): Promise<void> {
    await session.rollback();
  }

  /** Rolls back a transaction that is still open. */
  async releaseConnection(session: SqliteSession): Promise<void> {
    await session.rollback();
  }

  async destroy(): Promise<void> {
    await this.store.close();
  }
}

/** Other statements may not be allowed in a transaction. */
const writes = new Set<string>(['InsertQueryNode', 'UpdateQueryNode', 'DeleteQueryNode']);

/** A connection for Kysely: routes each query to the store's reader or writer. */
class SqliteSession implements DatabaseConnection {
  private readonly store: SqliteStore;
  private transaction: SqliteTransaction | undefined;

  constructor(store: SqliteStore) {
    this.store = store;
  }

  async begin(): Promise<void> {
    this.transaction = await this.store.begin();
  }

  async commit(): Promise<void> {
    await this.transaction?.commit();
    this.transaction = undefined;
  }

  async rollback(): Promise<void> {
    const transaction = this.transaction;
    this.transaction = undefined;
    await transaction?.rollback();
  }

  /** The row type is chosen by the caller, and cannot be checked here. */
  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>>;
  executeQuery(query: CompiledQuery): Promise<QueryResult<unknown>> {
    return Promise.resolve(this.observed(query));
  }

  /** Not supported: an open cursor holds its snapshot, and the WAL cannot be checkpointed. */
  streamQuery(): AsyncIterableIterator<never> {
    throw new TypeError('queries are not streamed: read a page at a time');
  }

  private observed(query: CompiledQuery): SqliteResult | Promise<SqliteResult> {
    if (!storeChannels.statement.hasSubscribers) return this.run(query);
    return publishEnd({ system: 'sqlite', sql: query.sql }, () => this.run(query));
  }

  private run(query: CompiledQuery): SqliteResult | Promise<SqliteResult> {
    const values = bindParameters(query.sql, query.parameters).map(toSqlite);
    if (this.transaction) return this.transaction.run(query.sql, values);
    if (SelectQueryNode.is(query.query)) return this.store.read(query.sql, values);
    if (writes.has(query.query.kind)) return this.store.write(query.sql, values);
    return this.store.execute(query.sql, values);
  }
}

/** Integers are bound as bigint: `node:sqlite` binds a number as REAL, which changes division. */
function toSqlite(value: Bindable): SqliteValue {
  if (value instanceof Date) return BigInt(value.getTime());
  if (typeof value === 'boolean') return value ? 1n : 0n;
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value;
}
