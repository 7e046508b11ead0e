import { ForeignKeyViolationError, StoreUnavailableError, UniqueViolationError } from '../../errors';

/** @see https://www.sqlite.org/rescode.html: the low byte is the kind, the rest says which case of it */
const BUSY = 5;
const UNIQUE = 2067;
const PRIMARY_KEY = 1555;
const ROWID = 2579;
const FOREIGN_KEY = 787;

/** Kinds of error that end with their cause, and need a new connection then. */
const unavailable = new Map([
  [BUSY, 'another program kept it locked'],
  [6, 'a table stayed locked'],
  [8, 'it is read-only'],
  [10, 'reading or writing the disk failed'],
  [13, 'the disk is full'],
  [14, 'the database file cannot be opened'],
  [15, 'the file locking protocol failed'],
]);

/** Whether the error says that somebody else holds the lock. */
export function isBusy(error: unknown): boolean {
  return kindOf(error) === BUSY;
}

/** Turns the driver's errors into ours; whatever is not in the table comes back as it is. */
export function translateSqliteError(error: unknown): unknown {
  const reason = unavailable.get(kindOf(error));
  if (reason !== undefined) return new StoreUnavailableError(reason, { cause: error });
  if (isFileError(error))
    return new StoreUnavailableError('its folder or file cannot be made', { cause: error });
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
    default:
      return error;
  }
}

/** SQLite tells the columns and not the name; our constraints are named after their columns for that reason. */
function uniqueConstraint(error: Error): string {
  const { table, columns } = violated(error);
  return `${[table, ...columns].join('_')}_unique`;
}

/** Reads `UNIQUE constraint failed: order_item.order_id, order_item.position`. */
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

/** What the file system answers while we make the file or its folder. */
function isFileError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}
