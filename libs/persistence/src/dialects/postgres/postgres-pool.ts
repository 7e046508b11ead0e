import { type PostgresPool } from 'kysely';
import { Pool, type PoolClient, types } from 'pg';
import { type TimeLimits } from '../time-limits';
import { PostgresConnection } from './postgres-connection';
import { translatePostgresError } from './postgres-errors';
import { StatementNames } from './statement-names';

/** Connections each program keeps; several programs share the server's hundred. */
const MAX_CONNECTIONS = 10;
/** A transaction whose program sits on its hands holds locks that all others wait for. */
const IDLE_IN_TRANSACTION_MS = 30_000;
/** How much later than the server we ourselves give up on a statement: a server that vanished says nothing. */
const GRACE_MS = 2_000;
/** Opening a connection is a matter of milliseconds, or of never. */
const CONNECT_MS = 4_000;

/** The pool that Kysely asks for connections: `pg`'s, with our checks, names and errors. */
export function openPostgresPool(url: string, limits: TimeLimits): PostgresPool {
  const pool = new Pool({
    connectionString: url,
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: Math.min(CONNECT_MS, limits.turnMs),
    statement_timeout: limits.statementMs,
    query_timeout: limits.statementMs && limits.statementMs + GRACE_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: { getTypeParser },
  });
  const names = new StatementNames();
  surviveLostConnections(pool);
  return {
    options: {},
    connect: async () => new PostgresConnection(await connected(pool), names),
    end: () => pool.end(),
  };
}

/** An `error` event that nobody hears ends the process; whoever uses the connection next hears of it anyway. */
function surviveLostConnections(pool: Pool): void {
  pool.on('error', ignore);
  pool.on('connect', (connection) => connection.on('error', ignore));
}

function ignore(): void {}

async function connected(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw translatePostgresError(error);
  }
}

/** `count(*)` and our ids are int8, which `pg` reads as text by default. */
function getTypeParser(...[oid, format]: Parameters<typeof types.getTypeParser>): unknown {
  return oid === types.builtins.INT8 ? wholeNumber : types.getTypeParser(oid, format);
}

function wholeNumber(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number))
    throw new RangeError(`${text} is too large to be represented as a number`);
  return number;
}
