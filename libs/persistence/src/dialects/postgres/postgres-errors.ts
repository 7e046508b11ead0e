import {
  ForeignKeyViolationError,
  NullValueError,
  StoreUnavailableError,
  UniqueViolationError,
  UnstorableTextError,
  UnstorableValueError,
} from '../../errors';
import { camelCase } from '../column-names';
import { columnOf } from '../bind-parameters';
import { type Bindable } from '../bindable';

const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATIONS = new Set(['23503', '23001']);
const NOT_NULL_VIOLATION = '23502';
const LOCK_NOT_AVAILABLE = '55P03';
const QUERY_CANCELED = '57014';
const UNSTORABLE_TEXT = new Set(['22021', '22P05']);
/** The SQLSTATE codes for unstorable values: out of range, not an integer, a date beyond the calendar. */
const UNSTORABLE_VALUE = new Set(['22003', '22P02', '22007', '22008']);

/** The statement that failed. */
interface Failed {
  readonly sql: string;
  readonly values: readonly Bindable[];
}

/**
 * The SQLSTATE codes and prefixes for an unavailable server. @see https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const unavailable = new Map([
  ['08', 'the connection failed'],
  ['28', 'the server did not accept the user or the password'],
  ['3D000', 'the database does not exist'],
  [
    '53300',
    'the server has no connection left: lower DATABASE_POOL_SIZE, or raise max_connections of the server',
  ],
  ['53', 'the server is out of resources'],
  ['57P0', 'the server is stopping or starting'],
  [QUERY_CANCELED, 'a statement took too long'],
  [LOCK_NOT_AVAILABLE, 'a lock could not be acquired'],
  ['25P03', 'a transaction was idle for too long'],
  ['25006', 'it is read-only'],
  ['58', 'the server had a system error'],
]);

/** The codes for network errors. */
const networkErrors = new Set([
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'EMFILE',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);

/** The messages in `pg`'s own errors, which carry no code. */
const connectionLost =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client (has encountered a connection error|was closed) and is not queryable)/;

/** The timeout messages among them. A terminated connection has such an error as its cause. */
const timedOut = /^(timeout e|Query read timeout|Connection terminated due to connection timeout)/;

/** Translates `pg` errors. An unknown error is returned unchanged, except that the row's values are removed. */
export function translatePostgresError(error: unknown, statement?: Failed): unknown {
  if (!(error instanceof Error)) return error;
  const code = codeOf(error);
  if (code === UNIQUE_VIOLATION) return new UniqueViolationError(constraintOf(error));
  if (FOREIGN_KEY_VIOLATIONS.has(code)) return new ForeignKeyViolationError(constraintOf(error));
  if (code === NOT_NULL_VIOLATION) return new NullValueError(camelCase(String(Reflect.get(error, 'column'))));
  if (UNSTORABLE_TEXT.has(code)) return new UnstorableTextError();
  if (UNSTORABLE_VALUE.has(code) && statement)
    return translateUnstorable(statement, error.message) ?? withoutValues(error);
  const reason = whyUnavailable(error, code);
  if (reason !== undefined) return new StoreUnavailableError(reason, { cause: error });
  return withoutValues(error);
}

/** @returns `undefined` if no parameter can be the cause, which is a programming error */
function translateUnstorable({ sql, values }: Failed, message: string): UnstorableValueError | undefined {
  const isSuspect = (value: Bindable) => isFractionOrDate(value) || message.endsWith(`: "${String(value)}"`);
  const suspects = values.filter(isSuspect);
  if (suspects.length === 0) return undefined;
  const error = new UnstorableValueError('an integer or date column cannot hold a value', suspects);
  for (const [index, value] of values.entries()) if (isSuspect(value)) error.inColumn(columnOf(sql, index));
  return error;
}

/** Returns whether a value may be the cause. Every other value that the message does not name fits each possible column. */
function isFractionOrDate(value: Bindable): boolean {
  return value instanceof Date || (typeof value === 'number' && !Number.isInteger(value));
}

/** Whether the transaction can be retried: a serialization failure, a deadlock or a stale prepared statement. */
export function isWorthRetrying(error: unknown): boolean {
  return ['40001', '40P01'].includes(codeOf(error)) || isStalePlan(error);
}

/** Whether a prepared statement is invalid: its table was altered, or it is unknown on this connection. */
export function isStalePlan(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  return code === '26000' || (code === '0A000' && error.message.includes('cached plan'));
}

/** Whether a statement waited longer than `lock_timeout`, as translated. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof StoreUnavailableError && codeOf(error.cause) === LOCK_NOT_AVAILABLE;
}

/** Whether a statement took longer than `statement_timeout`, as translated. */
export function isStatementTimeout(error: unknown): boolean {
  return error instanceof StoreUnavailableError && codeOf(error.cause) === QUERY_CANCELED;
}

/** Whether the server did not respond in time, as opposed to a refusal. */
export function isTimeout(error: unknown): boolean {
  return codeOf(error) === 'ETIMEDOUT' || (error instanceof Error && timedOut.test(error.message));
}

/** Whether the connection can no longer be used. */
export function isConnectionLost(error: unknown): boolean {
  const code = codeOf(error);
  return (
    networkErrors.has(code) ||
    /^(08|57P0|25P03)/.test(code) ||
    (error instanceof Error && connectionLost.test(error.message))
  );
}

function whyUnavailable(error: Error, code: string): string | undefined {
  if (networkErrors.has(code)) return `the server cannot be reached (${code})`;
  if (connectionLost.test(error.message)) return 'the connection was lost or could not be opened';
  if (/does not support SSL/.test(error.message))
    return 'the server does not offer TLS: turn TLS on there, or write sslmode=disable in DATABASE_URL';
  if (/no pg_hba\.conf entry.*no encryption/.test(error.message))
    return 'the server accepts no connection without TLS: write sslmode=verify-full in DATABASE_URL';
  if (/^(?:CERT_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_|ERR_TLS_)/.test(code))
    return `the certificate of the server is not trusted (${code}): write sslrootcert=FILE in DATABASE_URL`;
  for (const [start, reason] of unavailable) {
    if (/^[0-9A-Z]{5}$/.test(code) && code.startsWith(start)) return reason;
  }
  return undefined;
}

/** Removes the failing row, which the server quotes with its password hash, because unhandled errors are logged. */
function withoutValues(error: Error): Error {
  return Object.assign(error, { detail: undefined, where: undefined, internalQuery: undefined });
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

function constraintOf(error: Error): string {
  return 'constraint' in error ? String(error.constraint) : 'unknown';
}
