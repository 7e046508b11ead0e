import { Client, Pool, type PoolClient, type PoolConfig } from 'pg';
import { StoreUnavailableError } from '../../errors';
import { type StoreHealth, unavailable } from '../store-health';
import { type Connecting } from '../timeouts';
import { answerWithin } from './answer-within';
import { PostgresConnection } from './postgres-connection';
import { withoutWarning } from './ssl-mode';
import { isConnectionLost, translatePostgresError } from './postgres-errors';
import { StatementNames } from './statement-names';
import { WriteHealth } from './write-health';

/** Distinct prepared statements of a connection. */
const MAX_STATEMENTS = 200;
/** An idle transaction holds locks that block others. */
export const IDLE_IN_TRANSACTION_MS = 30_000;
/** Added to `statement_timeout` on the client, for a server that no longer responds. */
const CLIENT_GRACE_MS = 2_000;
const CONNECT_TIMEOUT_MS = 4_000;
/** For each of the two queries of a check. */
const CHECK_TIMEOUT_MS = 1_000;

const READ_ONLY_QUERY = "select current_setting('transaction_read_only') = 'on' as is_read_only";

/**
 * A pool of {@link PostgresConnection}s for Kysely. If the server responded neither on a connection of the pool nor
 * on a new one, the pool is dropped and connections are rejected at once, until a check succeeds.
 */
export class PostgresPool {
  readonly #url: string;
  readonly #connecting: Connecting;
  readonly #names: StatementNames;
  readonly #writes = new WriteHealth();
  #pool: Pool | undefined;
  #silence: StoreUnavailableError | undefined;
  #check: Promise<StoreHealth> | undefined;

  constructor(url: string, connecting: Connecting) {
    this.#url = withoutWarning(url);
    this.#connecting = connecting;
    this.#names = new StatementNames(connecting.isPooled ? 0 : MAX_STATEMENTS);
  }

  async connect(): Promise<PostgresConnection> {
    if (this.#silence) throw this.#silence;
    const { waitMs } = this.#connecting.timeouts;
    return new PostgresConnection(await this.#acquire(), this.#names, this.#writes, waitMs);
  }

  /** Whether the server responds, and accepts writes. Concurrent calls share one check. */
  check(): Promise<StoreHealth> {
    this.#check ??= this.#ask()
      .catch(unavailable)
      .finally(() => (this.#check = undefined));
    return this.#check;
  }

  /** Closes the connections. Idempotent. */
  async end(): Promise<void> {
    const pool = this.#pool;
    this.#pool = undefined;
    await pool?.end();
  }

  async #ask(): Promise<StoreHealth> {
    // All connections of the pool may be busy: only a new one without a response shows that the server is
    // unavailable.
    const answer = this.#silence ? undefined : await answerWithin(CHECK_TIMEOUT_MS, this.#askPool());
    return answer ?? (await this.#askAnew());
  }

  async #askPool(): Promise<StoreHealth> {
    const client = await this.#acquire();
    try {
      return await this.#readHealth(client);
    } finally {
      client.release();
    }
  }

  async #askAnew(): Promise<StoreHealth> {
    const client = new Client({
      connectionString: this.#url,
      connectionTimeoutMillis: CHECK_TIMEOUT_MS,
      query_timeout: CHECK_TIMEOUT_MS,
    }).on('error', ignore);
    try {
      await client.connect();
      const health = await this.#readHealth(client);
      this.#silence = undefined;
      return health;
    } catch (error) {
      if (isConnectionLost(error)) this.#giveUp(error);
      else this.#silence = undefined;
      throw translatePostgresError(error);
    } finally {
      // Not awaited: a server that does not respond does not confirm the end either.
      client.end().catch(ignore);
    }
  }

  async #readHealth(client: Client | PoolClient): Promise<StoreHealth> {
    const { rows } = await client.query<{ is_read_only: boolean }>(READ_ONLY_QUERY);
    const error = rows[0]?.is_read_only ? new StoreUnavailableError('it is read-only') : this.#writes.error;
    return error ? { state: 'read-only', error } : { state: 'ok' };
  }

  #giveUp(cause: unknown): void {
    this.#silence = new StoreUnavailableError('the server does not answer', { cause });
    this.end().catch(ignore);
  }

  async #acquire(): Promise<PoolClient> {
    try {
      this.#pool ??= openPool(this.#url, this.#connecting);
      return await this.#pool.connect();
    } catch (error) {
      throw translatePostgresError(error);
    }
  }
}

function openPool(url: string, { timeouts, poolSize, isPooled }: Connecting): Pool {
  const { waitMs, statementMs } = timeouts;
  const config: PoolConfig = {
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: Math.min(CONNECT_TIMEOUT_MS, waitMs),
    query_timeout: statementMs && statementMs + CLIENT_GRACE_MS,
    // A pooler rejects them.
    ...(isPooled ? {} : serverTimeouts(statementMs)),
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  };
  // An `error` event without a listener ends the process; the next query on the connection fails anyway.
  const pool = new Pool(config).on('error', ignore);
  return pool.on('connect', (connection) => connection.on('error', ignore));
}

function serverTimeouts(statementMs: number): PoolConfig {
  return {
    statement_timeout: statementMs,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
  };
}

function ignore(): void {}
