import {
  type CompiledQuery,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type DialectAdapter,
  type Driver,
  type QueryCompiler,
  type QueryResult,
  SelectQueryNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { bindable } from '../bindable';
import { type TimeLimits } from '../time-limits';
import { type SqliteOutcome, type SqliteValue } from './node-sqlite';
import { SqliteStore } from './sqlite-store';
import { type SqliteTransaction } from './sqlite-transaction';

/** Kysely on one SQLite file through `node:sqlite`. */
export class NodeSqliteDialect implements Dialect {
  readonly #path: string;
  readonly #limits: TimeLimits;

  constructor(path: string, limits: TimeLimits) {
    this.#path = path;
    this.#limits = limits;
  }

  createDriver(): Driver {
    return new NodeSqliteDriver(new SqliteStore(this.#path, this.#limits));
  }

  createQueryCompiler(): QueryCompiler {
    return new SqliteQueryCompiler();
  }

  createAdapter(): DialectAdapter {
    return new NodeSqliteAdapter();
  }

  createIntrospector(...[db]: ConstructorParameters<typeof SqliteIntrospector>): DatabaseIntrospector {
    return new SqliteIntrospector(db);
  }
}

/** Kysely would otherwise let one query at a time near its only connection, the readers too. */
class NodeSqliteAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }

  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class NodeSqliteDriver implements Driver {
  readonly #store: SqliteStore;

  constructor(store: SqliteStore) {
    this.#store = store;
  }

  /** Nothing yet: the store opens its file when it is first used, and again after it was away. */
  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return new SqliteSession(this.#store);
  }

  async beginTransaction(session: SqliteSession): Promise<void> {
    await session.begin();
  }

  async commitTransaction(session: SqliteSession): Promise<void> {
    session.commit();
  }

  async rollbackTransaction(session: SqliteSession): Promise<void> {
    session.rollback();
  }

  async releaseConnection(session: SqliteSession): Promise<void> {
    session.release();
  }

  async destroy(): Promise<void> {
    this.#store.close();
  }
}

/** What Kysely takes for a connection: it says of each query which of the store's two it needs. */
class SqliteSession implements DatabaseConnection {
  readonly #store: SqliteStore;
  #transaction: SqliteTransaction | undefined;

  constructor(store: SqliteStore) {
    this.#store = store;
  }

  async begin(): Promise<void> {
    this.#transaction = await this.#store.begin();
  }

  commit(): void {
    this.#transaction?.commit();
    this.#transaction = undefined;
  }

  rollback(): void {
    this.#transaction?.rollback();
    this.#transaction = undefined;
  }

  /** Ends what was left open: a transaction that was neither committed nor rolled back; mostly there is none. */
  release(): void {
    if (this.#transaction) this.rollback();
  }

  /** What type the rows have is known to whoever wrote the query, and to nobody here. */
  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>>;
  async executeQuery(query: CompiledQuery): Promise<QueryResult<unknown>> {
    const { rows, changes, insertId } = await this.#run(query);
    return { rows, numAffectedRows: changes, insertId };
  }

  /** A statement left open would hold its snapshot, and the log could not be emptied: read a page at a time instead. */
  streamQuery(): AsyncIterableIterator<never> {
    throw new TypeError('queries are not streamed: read a page at a time');
  }

  #run(query: CompiledQuery): SqliteOutcome | Promise<SqliteOutcome> {
    const values = query.parameters.map(toSqlite);
    if (this.#transaction) return this.#transaction.run(query.sql, values);
    if (SelectQueryNode.is(query.query)) return this.#store.read(query.sql, values);
    return this.#store.write(query.sql, values);
  }
}

/** A whole number goes in as one: SQLite would take it for a floating-point number, and divide accordingly. */
function toSqlite(parameter: unknown): SqliteValue {
  const value = bindable(parameter);
  if (value instanceof Date) return BigInt(value.getTime());
  if (typeof value === 'boolean') return value ? 1n : 0n;
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value;
}
