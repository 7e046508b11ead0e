import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite';
import { type QueryResult } from 'kysely';
import { type Column, jsonMark, type Row, type RowReader, rowReader } from '../row-reader';

/** A value that `node:sqlite` binds. */
export type SqliteValue = SQLInputValue;

/** The result of a statement, in Kysely's format. */
export type SqliteResult = QueryResult<Row>;

/**
 * SQLite's busy timeout. It blocks the event loop, so it covers only a commit by a different process. Longer waits are
 * asynchronous, in `SqliteStore`.
 */
const BUSY_TIMEOUT_MS = 25;

/** The WAL size in pages at which a commit checkpoints it in this thread, because {@link Checkpointer} has failed. */
const LAST_RESORT_PAGES = 16_000;

/**
 * The size to which a commit truncates a restarted WAL, 16 MiB. A reader that stays open, such as a backup, makes the WAL grow,
 * and SQLite would keep its size until the last connection is closed.
 */
const KEPT_WAL_BYTES = 16 * 1024 * 1024;

/** The LRU cache size for prepared statements, per connection. */
const MAX_STATEMENTS = 300;

/**
 * The parameter limit for cached statements: an order of 25 lines, or a page with 100 ids. Longer lists rarely repeat their
 * length.
 */
const MAX_CACHED_PARAMETERS = 100;

/** A synchronous connection to a SQLite file. This is the only module that uses `DatabaseSync`. */
export class SqliteFile {
  private readonly database: DatabaseSync;
  private readonly statements = new Map<string, PreparedStatement>();

  /**
   * Opens the file. Creates it and its directory if needed, with modes 0600 and 0700; SQLite gives its `-wal` and `-shm`
   * files the same mode.
   *
   * @throws the driver's untranslated error
   */
  constructor(path: string, access: 'read' | 'write') {
    createFile(path);
    this.database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
    try {
      this.configure(access);
    } catch (error) {
      this.database.close();
      throw error;
    }
  }

  /** Whether a transaction is open. SQLite rolls back by itself on some errors, such as a full disk. */
  get isInTransaction(): boolean {
    return this.database.isOpen && this.database.isTransaction;
  }

  /** Executes SQL without parameters or result. */
  exec(sql: string): void {
    this.database.exec(sql);
  }

  /** Executes a statement. In the result rows a column named `*_at` is a `Date`, and a column named `is_*` is a boolean. */
  run(sql: string, values: readonly SqliteValue[]): SqliteResult {
    const prepared = this.prepared(sql, values.length);
    const { statement } = prepared;
    if (prepared.columns > 0) {
      const rows = arrays(statement.all(...values));
      // `select *` of a table that was altered since.
      if (rows[0] && rows[0].length !== prepared.columns) Object.assign(prepared, describe(statement));
      return { rows: rows.map(prepared.read) };
    }
    const { changes, lastInsertRowid } = statement.run(...values);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  /** Closes the connection, which rolls back an open transaction. Idempotent. */
  close(): void {
    this.statements.clear();
    if (this.database.isOpen) this.database.close();
  }

  private configure(access: 'read' | 'write'): void {
    // FULL would sync the WAL in each commit, in this thread: `SqliteStore.sync` does it in another one.
    this.database.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma foreign_keys = on');
    this.database.exec(
      `pragma wal_autocheckpoint = ${LAST_RESORT_PAGES}; pragma journal_size_limit = ${KEPT_WAL_BYTES}`,
    );
    const { journal_mode: mode } = this.database.prepare('pragma journal_mode').get() ?? {};
    if (mode !== 'wal')
      throw new Error(`the file system does not support SQLite in WAL mode (${String(mode)})`);
    // The first read opens the WAL, and creates it.
    this.database.exec('select 1 from sqlite_schema');
    if (access === 'read') this.database.exec('pragma query_only = on');
  }

  private prepared(sql: string, parameters: number): PreparedStatement {
    if (parameters > MAX_CACHED_PARAMETERS) return prepare(this.database, sql);
    const cached = this.statements.get(sql);
    if (cached) this.statements.delete(sql);
    const prepared = cached ?? prepare(this.database, sql);
    this.statements.set(sql, prepared);
    if (this.statements.size > MAX_STATEMENTS) this.evictOldest();
    return prepared;
  }

  private evictOldest(): void {
    for (const oldest of this.statements.keys()) {
      this.statements.delete(oldest);
      return;
    }
  }
}

interface PreparedStatement {
  readonly statement: StatementSync;
  /** The number of columns; 0 if the statement returns no rows. */
  columns: number;
  read: RowReader;
}

function prepare(database: DatabaseSync, sql: string): PreparedStatement {
  const statement = database.prepare(sql);
  statement.setReturnArrays(true);
  return { statement, ...describe(statement) };
}

function describe(statement: StatementSync): Pick<PreparedStatement, 'columns' | 'read'> {
  const columns = statement
    .columns()
    .map(({ name, type }) => (type === jsonType ? { name, read: readJson } : columnNamed(name)));
  return { columns: columns.length, read: rowReader(columns) };
}

/** The rows after `setReturnArrays`, which the types do not include. */
function arrays(rows: unknown[]): SQLOutputValue[][];
function arrays(rows: unknown[]): unknown[] {
  return rows;
}

/**
 * Rejects a read-only file before SQLite opens it. SQLite would give a new WAL the same mode, and the WAL would keep it after
 * the file mode is corrected.
 *
 * @throws the file system error
 */
export function refuseUnwritable(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw Object.assign(new Error('it is a folder'), { code: 'EISDIR', syscall: 'open', path });
  for (const file of [path, `${path}-wal`, `${path}-shm`])
    if (existsSync(file)) accessSync(file, constants.R_OK | constants.W_OK);
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

/** Creates a directory and its parents. `mkdir` with `recursive` hangs where a file system answers ENOENT, such as in `/proc`. */
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

/** The declared type for JSON columns in strict tables, since SQLite lacks a JSON type. Only our JSON columns use it. */
const jsonType = 'ANY';

function readJson(text: string): unknown {
  return JSON.parse(text);
}

/** Returns a column. The column name determines the type, because SQLite has no date or boolean type. */
function columnNamed(name: string): Column {
  if (name.endsWith('_at')) return { name, read: (value: unknown) => ifNumber(value, (ms) => new Date(ms)) };
  if (name.startsWith('is_')) return { name, read: (value: unknown) => ifNumber(value, (bit) => bit !== 0) };
  return name.endsWith(jsonMark) ? { name, read: readJson } : { name };
}

function ifNumber(value: unknown, read: (value: number) => unknown): unknown {
  return typeof value === 'number' ? read(value) : value;
}
