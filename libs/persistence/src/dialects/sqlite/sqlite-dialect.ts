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

/** A Kysely dialect and driver for a SQLite file, based on `node:sqlite`. */
export class SqliteDialect implements CheckedDialect, Driver {
  private readonly store: SqliteStore;
  private readonly transactions = new WeakMap<DatabaseConnection, SqliteTransaction>();

  constructor(path: string, timeouts: Timeouts) {
    this.store = new SqliteStore(path, timeouts);
  }

  check(): Promise<StoreHealth> {
    return this.store.check();
  }

  run<Row>(query: CompiledQuery, transaction?: SqliteTransaction): Promise<QueryResult<Row>>;
  async run(query: CompiledQuery, transaction?: SqliteTransaction): Promise<QueryResult<unknown>> {
    if (!storeChannels.statement.hasSubscribers) return this.execute(query, transaction);
    return publishEnd({ system: 'sqlite', sql: query.sql }, () => this.execute(query, transaction));
  }

  /** See {@link SqliteStore.restartWal}. */
  restartWal(readRest: () => Promise<void>, restarted: () => void): Promise<void> {
    return this.store.restartWal(readRest, restarted);
  }

  close(): Promise<void> {
    return this.store.close();
  }

  createDriver(): Driver {
    return this;
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

  /** The store opens its file on first use. */
  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    const connection: DatabaseConnection = {
      executeQuery: (query) => this.run(query, this.transactions.get(connection)),
      /** Unsupported, because an open cursor holds its snapshot and blocks WAL checkpoints. */
      streamQuery() {
        throw new TypeError('queries are not streamed: read a page at a time');
      },
    };
    return connection;
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    this.transactions.set(connection, await this.store.begin());
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await this.transactions.get(connection)?.commit();
    this.transactions.delete(connection);
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    const transaction = this.transactions.get(connection);
    this.transactions.delete(connection);
    await transaction?.rollback();
  }

  /** Rolls back a transaction that is still open. */
  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    await this.rollbackTransaction(connection);
  }

  destroy(): Promise<void> {
    return this.store.close();
  }

  private execute(
    query: CompiledQuery,
    transaction?: SqliteTransaction,
  ): SqliteResult | Promise<SqliteResult> {
    const values = bindParameters(query.sql, query.parameters).map(toSqlite);
    if (transaction) return transaction.run(query.sql, values);
    if (SelectQueryNode.is(query.query)) return this.store.read(query.sql, values);
    if (writes.has(query.query.kind)) return this.store.write(query.sql, values);
    return this.store.execute(query.sql, values);
  }
}

/** The adapter for two connections. Kysely's own adapter assumes a single connection, and would serialize reads with writes. */
class NodeSqliteAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }

  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** The statements that run in a group. A transaction may reject other statements. */
const writes = new Set<string>(['InsertQueryNode', 'UpdateQueryNode', 'DeleteQueryNode']);

/**
 * Converts a value for SQLite. Integers are bound as bigint, because `node:sqlite` binds a number as REAL, which changes
 * division.
 */
function toSqlite(value: Bindable): SqliteValue {
  if (value instanceof Date) return BigInt(value.getTime());
  if (typeof value === 'boolean') return value ? 1n : 0n;
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value;
}
