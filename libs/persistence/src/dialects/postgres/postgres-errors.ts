import {
  ForeignKeyViolationError,
  StoreUnavailableError,
  UniqueViolationError,
  UnstorableTextError,
} from '../../errors';

const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATIONS = new Set(['23503', '23001']);
const UNSTORABLE_TEXT = new Set(['22021', '22P05']);

/** @see https://www.postgresql.org/docs/current/errcodes-appendix.html: states, and classes by their first two */
const unavailable = new Map([
  ['08', 'the connection failed'],
  ['53', 'the server is out of resources'],
  ['57P0', 'the server is stopping or starting'],
  ['57014', 'a statement took too long'],
  ['55P03', 'a lock was not to be had'],
  ['25P03', 'a transaction stood still too long'],
  ['25006', 'it is read-only'],
  ['58', 'the server had a system error'],
]);

/** What the network answers. */
const unreachable = new Set([
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

/** What `pg` says in words alone, for these errors of its own carry no code. */
const connectionLost =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client (has encountered a connection error|was closed) and is not queryable)/;

/** Turns the driver's errors into ours; whatever is not in the tables comes back as it is, without the row's values. */
export function translatePostgresError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const code = codeOf(error);
  if (code === UNIQUE_VIOLATION) return new UniqueViolationError(constraintOf(error));
  if (FOREIGN_KEY_VIOLATIONS.has(code)) return new ForeignKeyViolationError();
  if (UNSTORABLE_TEXT.has(code)) return new UnstorableTextError();
  const reason = whyUnavailable(error, code);
  if (reason !== undefined) return new StoreUnavailableError(reason, { cause: error });
  return withoutValues(error);
}

/** Whether the same transaction, run again from its start, may well succeed. */
export function isWorthRetrying(error: unknown): boolean {
  return ['40001', '40P01'].includes(codeOf(error)) || isStalePlan(error);
}

/** Whether a named statement no longer fits: its table has changed, or its connection is another than it was. */
export function isStalePlan(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  return code === '26000' || (code === '0A000' && error.message.includes('cached plan'));
}

/** Whether the connection that threw it is of no more use. */
export function isConnectionLost(error: unknown): boolean {
  const code = codeOf(error);
  return (
    unreachable.has(code) ||
    /^(08|57P0|25P03)/.test(code) ||
    (error instanceof Error && connectionLost.test(error.message))
  );
}

function whyUnavailable(error: Error, code: string): string | undefined {
  if (unreachable.has(code)) return `the server cannot be reached (${code})`;
  if (connectionLost.test(error.message)) return 'the connection was lost or not to be had';
  for (const [start, reason] of unavailable) {
    if (/^[0-9A-Z]{5}$/.test(code) && code.startsWith(start)) return reason;
  }
  return undefined;
}

/** The server quotes the row that failed, password hash and all; an error that nobody expected ends in a log. */
function withoutValues(error: Error): Error {
  return Object.assign(error, { detail: undefined, where: undefined, internalQuery: undefined });
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

function constraintOf(error: Error): string {
  return 'constraint' in error ? String(error.constraint) : 'unknown';
}
