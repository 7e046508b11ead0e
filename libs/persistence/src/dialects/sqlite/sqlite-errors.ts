import {
  ForeignKeyViolationError,
  NullValueError,
  StoreFaultError,
  StoreUnavailableError,
  UniqueViolationError,
  UnstorableValueError,
} from '../../errors';
import { camelCase } from '../column-names';

/** The result codes. An extended code's low byte is its primary code. @see https://www.sqlite.org/rescode.html */
const BUSY = 5;
const UNIQUE = 2067;
const PRIMARY_KEY = 1555;
const ROWID = 2579;
const FOREIGN_KEY = 787;
const DATATYPE = 3091;
const NOT_NULL = 1299;

/** The primary codes for temporary failures, after which the connection is reopened. */
const unavailable = new Map([
  [BUSY, 'the database is locked by another process'],
  [6, 'a table is locked'],
  [8, 'it is read-only'],
  [10, 'disk I/O error'],
  [13, 'the disk is full'],
  [14, 'the database file cannot be opened'],
  [15, 'the file locking protocol failed'],
]);

/** The primary codes for a file that can no longer be trusted. */
const damaged = new Map([
  [11, 'the database file is damaged: stop the program and restore a backup'],
  [26, 'the file is not a database'],
]);

/** Returns whether the error means that a different connection holds the lock. */
export function isBusy(error: unknown): boolean {
  return kindOf(error) === BUSY;
}

/** Translates `node:sqlite` errors; an unknown error is returned unchanged. */
export function translateSqliteError(error: unknown): unknown {
  const damage = damaged.get(kindOf(error));
  if (damage !== undefined) return new StoreFaultError(damage, { cause: error });
  const reason = unavailable.get(kindOf(error));
  if (reason !== undefined) return new StoreUnavailableError(reason, { cause: error });
  if (isFileError(error))
    return new StoreUnavailableError(
      `the database file cannot be opened or created (${error.code} ${error.path}): correct its owner and mode, or DATABASE_URL`,
      { cause: error },
    );
  return error instanceof Error ? translateConstraint(error) : error;
}

function translateConstraint(error: Error): Error {
  switch (codeOf(error)) {
    case UNIQUE:
      return new UniqueViolationError(uniqueConstraint(error));
    case PRIMARY_KEY:
    case ROWID:
      return new UniqueViolationError(`${violated(error).table}_pkey`);
    case FOREIGN_KEY:
      return new ForeignKeyViolationError();
    case NOT_NULL:
      return new NullValueError(camelCase(violated(error).columns[0] ?? ''));
    case DATATYPE:
      return translateDatatype(error);
    default:
      return error;
  }
}

/**
 * Translates a datatype error. The request handling decides whether the value comes from an input; otherwise it is a
 * programming error.
 */
function translateDatatype(error: Error): Error {
  const column = /^cannot store \w+ value in \w+ column \w+\.(\w+)$/.exec(error.message)?.[1];
  return column === undefined ? error : new UnstorableValueError(error.message).inColumn(camelCase(column));
}

/** Returns the constraint name. SQLite reports only the constraint's columns, so constraints are named after their columns. */
function uniqueConstraint(error: Error): string {
  const { table, columns } = violated(error);
  return `${[table, ...columns].join('_')}_unique`;
}

/** Parses `UNIQUE constraint failed: order_item.order_id, order_item.position`. */
function violated(error: Error): { table: string; columns: string[] } {
  const paths = error.message.slice(error.message.indexOf(': ') + 2).split(', ');
  const [table = ''] = (paths[0] ?? '').split('.');
  return { table, columns: paths.map((path) => path.slice(table.length + 1)) };
}

function codeOf(error: unknown): number {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode
    : 0;
}

function kindOf(error: unknown): number {
  return codeOf(error) & 0xff;
}

/** An error from opening or creating the file or its directory. */
function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}
