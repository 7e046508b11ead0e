import { CamelCasePlugin, type Dialect, Kysely } from 'kysely';
import { type DatabaseLocation, databaseUrlProblem, readDatabaseUrl } from './database-url';
import { postgresDialect } from './dialects/postgres/postgres-dialect';
import { NodeSqliteDialect } from './dialects/sqlite/sqlite-dialect';
import { migrationLimits, requestLimits, type TimeLimits } from './dialects/time-limits';
import { type Tables } from './tables/tables';

/** Whatever queries can be asked of: a {@link Database}, or a transaction on one. The last argument of a store's method. */
export type Queries = Kysely<Tables>;

/** The store, whichever it is. Made by {@link openDatabase}; `destroy()` closes it. */
export class Database extends Kysely<Tables> {
  readonly dialect: 'sqlite' | 'postgres';
  /** Where the data is, for a person to read: a file path, or host and database. Never holds a password. */
  readonly place: string;
  readonly #location: DatabaseLocation;

  /** @param limits how long it may take before a `StoreUnavailableError`; by default, as long as a request can wait */
  constructor(location: DatabaseLocation, limits: TimeLimits = requestLimits) {
    super({ dialect: dialectOf(location, limits), plugins: [new CamelCasePlugin()] });
    this.dialect = location.dialect;
    this.place = location.place;
    this.#location = location;
  }

  /** Another handle on the same data, whose turns nobody else takes; to be destroyed by whoever asked. */
  openAnother(): Database {
    return new Database(this.#location);
  }

  /** Where PostgreSQL is, password and all, for a connection of one's own; `undefined` on SQLite. */
  get serverUrl(): string | undefined {
    return this.#location.dialect === 'postgres' ? this.#location.url : undefined;
  }

  /** Another handle on the same data, with the patience that migrations need; to be destroyed by whoever asked. */
  forMigrations(): Database {
    return new Database(this.#location, migrationLimits);
  }
}

/**
 * Opens the store lazily: nothing is connected, created or migrated until the first query.
 *
 * @param url `sqlite:<path>`, or `postgres://…`
 * @throws {TypeError} for any other URL, without repeating it
 */
export function openDatabase(url: string): Database {
  const location = readDatabaseUrl(url);
  if (!location) throw new TypeError(`the database URL ${databaseUrlProblem}`);
  return new Database(location);
}

function dialectOf(location: DatabaseLocation, limits: TimeLimits): Dialect {
  return location.dialect === 'sqlite'
    ? new NodeSqliteDialect(location.path, limits)
    : postgresDialect(location.url, limits);
}
