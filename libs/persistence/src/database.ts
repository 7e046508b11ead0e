import { CamelCasePlugin, type Dialect, Kysely } from 'kysely';
import { type DatabaseLocation, databaseUrlProblem, readDatabaseUrl } from './database-url';
import { postgresDialect } from './dialects/postgres/postgres-dialect';
import { NodeSqliteDialect } from './dialects/sqlite/sqlite-dialect';
import { migrationTimeouts, requestTimeouts, type Timeouts } from './dialects/timeouts';
import { type Tables } from './tables/tables';

/** A {@link Database}, or a transaction on one. The last argument of a store's method. */
export type Queries = Kysely<Tables>;

/** A Kysely instance for SQLite or PostgreSQL. Made by {@link openDatabase}; `destroy()` closes its connections. */
export class Database extends Kysely<Tables> {
  readonly dialect: 'sqlite' | 'postgres';
  /** For display: the file path, or host and database name. Contains no credentials. */
  readonly place: string;
  readonly #location: DatabaseLocation;

  /** @param timeouts after which a query throws a `StoreUnavailableError` */
  constructor(location: DatabaseLocation, timeouts: Timeouts = requestTimeouts) {
    super({ dialect: dialectOf(location, timeouts), plugins: [new CamelCasePlugin()] });
    this.dialect = location.dialect;
    this.place = location.place;
    this.#location = location;
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

function dialectOf(location: DatabaseLocation, timeouts: Timeouts): Dialect {
  return location.dialect === 'sqlite'
    ? new NodeSqliteDialect(location.path, timeouts)
    : postgresDialect(location.url, timeouts);
}
