import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite';

/** One row of a result. */
export type SqliteRow = Record<string, SQLOutputValue | Date | boolean>;
/** A value that `node:sqlite` binds. */
export type SqliteValue = SQLInputValue;

/** The result of one statement. */
export interface SqliteResult {
  readonly rows: SqliteRow[];
  readonly changes?: bigint;
  readonly insertId?: bigint;
}

/**
 * SQLite's busy timeout. It blocks the event loop, so it covers only the commit of another process; longer waits are
 * asynchronous, in `SqliteStore`.
 */
const BUSY_TIMEOUT_MS = 25;

/** Size of the LRU cache of prepared statements, per connection. */
const MAX_STATEMENTS = 300;

/** An order of 25 lines, a page of 100 ids. A longer list has a length of its own that hardly comes again. */
const MAX_CACHED_PARAMETERS = 100;

/**
 * One synchronous connection to a SQLite file. The only module that uses `DatabaseSync`.
 */
export class SqliteFile {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, PreparedStatement>();

  /**
   * Opens the file. Creates it and its directory if needed, with modes 0600 and 0700; SQLite gives its `-wal` and `-shm`
   * files the same mode.
   *
   * @throws the untranslated error of the driver
   */
  constructor(path: string, access: 'read' | 'write') {
    createFile(path);
    this.#database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
    try {
      this.#configure(access);
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  /** Whether a transaction is open. SQLite rolls back by itself on some errors, such as a full disk. */
  get isInTransaction(): boolean {
    return this.#database.isOpen && this.#database.isTransaction;
  }

  /** Executes SQL without parameters or result. */
  exec(sql: string): void {
    this.#database.exec(sql);
  }

  /** Executes one statement. In its rows a column named `*_at` is a `Date`, one named `is_*` a boolean. */
  run(sql: string, values: readonly SqliteValue[]): SqliteResult {
    const { statement, hasRows } = this.#prepared(sql, values.length);
    if (hasRows) return { rows: convertColumns(statement.all(...values)) };
    const { changes, lastInsertRowid } = statement.run(...values);
    return { rows: [], changes: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  /** Closes the connection, which rolls back an open transaction. Idempotent. */
  close(): void {
    this.#statements.clear();
    if (this.#database.isOpen) this.#database.close();
  }

  #configure(access: 'read' | 'write'): void {
    // FULL syncs the WAL on every commit; with NORMAL a power failure loses acknowledged commits.
    this.#database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on');
    const { journal_mode: mode } = this.#database.prepare('pragma journal_mode').get() ?? {};
    if (mode !== 'wal')
      throw new Error(`the file system does not support SQLite in WAL mode (${String(mode)})`);
    // The first read opens the WAL, and creates it.
    this.#database.exec('select 1 from sqlite_schema');
    if (access === 'read') this.#database.exec('pragma query_only = on');
  }

  #prepared(sql: string, parameters: number): PreparedStatement {
    if (parameters > MAX_CACHED_PARAMETERS) return prepare(this.#database, sql);
    const cached = this.#statements.get(sql);
    if (cached) this.#statements.delete(sql);
    const prepared = cached ?? prepare(this.#database, sql);
    this.#statements.set(sql, prepared);
    if (this.#statements.size > MAX_STATEMENTS) this.#evictOldest();
    return prepared;
  }

  #evictOldest(): void {
    for (const oldest of this.#statements.keys()) {
      this.#statements.delete(oldest);
      return;
    }
  }
}

interface PreparedStatement {
  readonly statement: StatementSync;
  readonly hasRows: boolean;
}

function prepare(database: DatabaseSync, sql: string): PreparedStatement {
  const statement = database.prepare(sql);
  return { statement, hasRows: statement.columns().length > 0 };
}

function createFile(path: string): void {
  makeDirectory(dirname(path));
  try {
    // `wx` fails on an existing file: closing a second descriptor would release this process's POSIX locks on it.
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  }
}

/** Not `mkdir` with `recursive`: that does not return where a file system answers ENOENT, such as in `/proc`. */
function makeDirectory(directory: string): void {
  if (existsSync(directory)) return;
  makeDirectory(dirname(directory));
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/** SQLite has no date or boolean type: the column name decides. */
function convertColumns(rows: SqliteRow[]): SqliteRow[] {
  for (const column of Object.keys(rows[0] ?? {})) {
    if (column.endsWith('_at')) convert(rows, column, (value) => new Date(value));
    else if (column.startsWith('is_')) convert(rows, column, (value) => value !== 0);
  }
  return rows;
}

function convert(rows: SqliteRow[], column: string, read: (value: number) => Date | boolean): void {
  for (const row of rows) {
    const value = row[column];
    if (typeof value === 'number') row[column] = read(value);
  }
}
