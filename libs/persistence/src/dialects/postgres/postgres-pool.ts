import { type PostgresPool } from 'kysely';
import { Pool, type PoolClient, types } from 'pg';
import { type Timeouts } from '../timeouts';
import { PostgresConnection } from './postgres-connection';
import { translatePostgresError } from './postgres-errors';
import { StatementNames } from './statement-names';

/** Per process; the server's default `max_connections` is 100. */
const MAX_CONNECTIONS = 10;
/** An idle transaction holds locks that block others. */
const IDLE_IN_TRANSACTION_MS = 30_000;
/** Added to `statement_timeout` on the client, for a server that no longer responds. */
const CLIENT_GRACE_MS = 2_000;
const CONNECT_TIMEOUT_MS = 4_000;

/** A pool of {@link PostgresConnection}s for Kysely. */
export function openPostgresPool(url: string, timeouts: Timeouts): PostgresPool {
  const pool = new Pool({
    connectionString: url,
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: Math.min(CONNECT_TIMEOUT_MS, timeouts.waitMs),
    statement_timeout: timeouts.statementMs,
    query_timeout: timeouts.statementMs && timeouts.statementMs + CLIENT_GRACE_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: { getTypeParser },
  });
  const names = new StatementNames();
  ignoreIdleErrors(pool);
  return {
    options: {},
    connect: async () => new PostgresConnection(await connected(pool), names),
    end: () => pool.end(),
  };
}

/** An `error` event without a listener ends the process; the next query on the connection fails anyway. */
function ignoreIdleErrors(pool: Pool): void {
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

/** `count(*)` and ids are int8, which `pg` returns as strings by default. */
function getTypeParser(...[oid, format]: Parameters<typeof types.getTypeParser>): unknown {
  return oid === types.builtins.INT8 ? safeInteger : types.getTypeParser(oid, format);
}

function safeInteger(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number)) throw new RangeError(`${text} is not a safe integer`);
  return number;
}
