import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite';

/** One row as SQLite gives it. */
export type SqliteRow = Record<string, SQLOutputValue | Date | boolean>;
/** What SQLite itself can hold. */
export type SqliteValue = SQLInputValue;

/** What came of one statement. */
export interface SqliteOutcome {
  readonly rows: SqliteRow[];
  readonly changes?: bigint;
  readonly insertId?: bigint;
}

/**
 * How long SQLite itself may wait for a lock, in milliseconds. It waits in our only thread, so this covers no more
 * than another program's commit; longer waits are spent asynchronously, by whoever called.
 */
const SYNCHRONOUS_WAIT_MS = 25;

/** Statements kept prepared for each connection; beyond it the one unused for longest goes. */
const MAX_STATEMENTS = 200;

/** A statement with more parameters holds a list, and comes again only with a list of the same length. */
const MAX_KEPT_PARAMETERS = 20;

/**
 * One connection to one SQLite file; everything it does is synchronous. The only file that names `DatabaseSync`, so
 * that another name or another driver is an edit in one place.
 */
export class SqliteFile {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, PreparedStatement>();

  /**
   * Opens the file, and makes it and its folder if need be: readable by their owner alone, as SQLite's own side files
   * then are too.
   *
   * @throws the driver's error, untranslated
   */
  constructor(path: string, access: 'read' | 'write') {
    createPrivately(path);
    this.#database = new DatabaseSync(path, { timeout: SYNCHRONOUS_WAIT_MS });
    try {
      this.#prepareConnection(access);
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  /** Whether a transaction is open. SQLite ends one by itself when the disk fails under it. */
  get isInTransaction(): boolean {
    return this.#database.isOpen && this.#database.isTransaction;
  }

  /** Runs a statement without parameters or rows. */
  exec(sql: string): void {
    this.#database.exec(sql);
  }

  /** Runs one statement. In its rows a column `…_at` holds a `Date`, and one that is called `is_…` a boolean. */
  run(sql: string, values: readonly SqliteValue[]): SqliteOutcome {
    const { statement, hasRows } = this.#prepared(sql, values.length);
    if (hasRows) return { rows: withOurTypes(statement.all(...values)) };
    const { changes, lastInsertRowid } = statement.run(...values);
    return { rows: [], changes: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  /** Closes the connection and gives up a transaction that is open; does nothing the second time. */
  close(): void {
    this.#statements.clear();
    if (this.#database.isOpen) this.#database.close();
  }

  #prepareConnection(access: 'read' | 'write'): void {
    // FULL syncs the log at every commit: NORMAL loses acknowledged commits in a power cut.
    this.#database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on');
    const { journal_mode: mode } = this.#database.prepare('pragma journal_mode').get() ?? {};
    if (mode !== 'wal')
      throw new Error(`this file system cannot hold a SQLite database in WAL mode (${String(mode)})`);
    if (access === 'read') this.#database.exec('pragma query_only = on');
  }

  #prepared(sql: string, parameters: number): PreparedStatement {
    if (parameters > MAX_KEPT_PARAMETERS) return prepare(this.#database, sql);
    const kept = this.#statements.get(sql);
    if (kept) this.#statements.delete(sql);
    const prepared = kept ?? prepare(this.#database, sql);
    this.#statements.set(sql, prepared);
    if (this.#statements.size > MAX_STATEMENTS) this.#forgetOldest();
    return prepared;
  }

  #forgetOldest(): void {
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

function createPrivately(path: string): void {
  makeFolder(dirname(path));
  try {
    // `wx` never opens a file that exists: closing a second descriptor would drop every lock this process has on it.
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  }
}

/** Node's own recursive `mkdir` never returns where a file system says ENOENT to a folder that it will not have. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/** SQLite knows neither moments nor booleans; the names of columns tell where they are. */
function withOurTypes(rows: SqliteRow[]): SqliteRow[] {
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
