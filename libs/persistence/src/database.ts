import { type CompiledQuery, Kysely, type QueryResult } from 'kysely';
import { type DatabaseLocation, databaseUrlProblem, readDatabaseUrl } from './database-url';
import { PooledPostgresDialect } from './dialects/postgres/postgres-dialect';
import { NodeSqliteDialect } from './dialects/sqlite/sqlite-dialect';
import { SnakeCaseNames } from './dialects/snake-case-names';
import { type CheckedDialect, type StoreHealth, unavailable } from './dialects/store-health';
import { migrationTimeouts, requestTimeouts, type Timeouts } from './dialects/timeouts';
import { StoreUnavailableError } from './errors';
import { type Tables } from './tables/tables';

/** A {@link Database}, or a transaction on one. The last argument of a store's method. */
export type Queries = Kysely<Tables>;

/** A Kysely instance for SQLite or PostgreSQL. Made by {@link openDatabase}; `destroy()` closes its connections. */
export class Database extends Kysely<Tables> {
  readonly dialect: 'sqlite' | 'postgres';
  /** For display: the file path, or host and database name. Contains no credentials. */
  readonly place: string;
  readonly #location: DatabaseLocation;
  readonly #dialect: CheckedDialect;
  #isDestroyed = false;

  /** @param timeouts after which a query throws a `StoreUnavailableError` */
  constructor(location: DatabaseLocation, timeouts: Timeouts = requestTimeouts) {
    const dialect = dialectOf(location, timeouts);
    super({ dialect, plugins: [new SnakeCaseNames()] });
    this.#dialect = dialect;
    this.dialect = location.dialect;
    this.place = location.place;
    this.#location = location;
  }

  /** What the database can do now. Does not throw, and takes two seconds at most. */
  async check(): Promise<StoreHealth> {
    return this.#isDestroyed ? unavailable('its connections are closed') : this.#dialect.check();
  }

  /** Executes a compiled query on a connection of its own, without what Kysely does around it. */
  async run<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#isDestroyed) throw new StoreUnavailableError('its connections are closed');
    return this.#dialect.run(query);
  }

  override async destroy(): Promise<void> {
    this.#isDestroyed = true;
    await super.destroy();
    await this.#dialect.close();
  }

  /** A second handle with connections of its own; the caller destroys it. */
  openAnother(): Database {
    return new Database(this.#location);
  }

  /** The connection string of PostgreSQL, password included; `undefined` on SQLite. */
  get serverUrl(): string | undefined {
    return this.#location.dialect === 'postgres' ? this.#location.url : undefined;
  }

  /** A second handle with {@link migrationTimeouts}; the caller destroys it. */
  forMigrations(): Database {
    return new Database(this.#location, migrationTimeouts);
  }
}

/**
 * Opens a database lazily: nothing is connected or created before the first query.
 *
 * @param url `sqlite:<path>`, or `postgres://…`
 * @throws {TypeError} for any other URL; the message does not repeat it
 */
export function openDatabase(url: string): Database {
  const location = readDatabaseUrl(url);
  if (!location) throw new TypeError(`the database URL ${databaseUrlProblem}`);
  return new Database(location);
}

function dialectOf(location: DatabaseLocation, timeouts: Timeouts): CheckedDialect {
  return location.dialect === 'sqlite'
    ? new NodeSqliteDialect(location.path, timeouts)
    : new PooledPostgresDialect(location.url, timeouts);
}
