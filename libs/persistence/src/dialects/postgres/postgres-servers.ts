import { setTimeout as pause } from 'node:timers/promises';
import { type PostgresPool } from 'kysely';
import { Client, Pool, type PoolClient, type PoolConfig } from 'pg';
import { publishTime, storeChannels } from '../../channels';
import { StoreUnavailableError } from '../../errors';
import { type StoreHealth, unavailable } from '../store-health';
import { type Connecting } from '../connecting';
import { lockTimeoutOf, type Timeouts } from '../timeouts';
import { PostgresSession, type SessionContext } from './postgres-session';
import { settledWithin } from '../../timers/settled-within';
import { ofAllTenants } from './row-policies';
import { withoutWarning } from './ssl-mode';
import { isConnectionLost, isTimeout, translatePostgresError } from './postgres-errors';
import { StatementNames } from './statement-names';
import { StatementHealth } from './statement-health';

/** The most distinct prepared statements per connection. */
const MAX_STATEMENTS = 200;
/** The limit for idle transactions, because an idle transaction holds locks that block other transactions. */
const IDLE_IN_TRANSACTION_MS = 30_000;
/** The time added to `statement_timeout` on the client, for a server that no longer responds. */
const CLIENT_GRACE_MS = 2_000;
const CONNECT_TIMEOUT_MS = 4_000;
/** The timeout for each of the two queries in a check. */
const CHECK_TIMEOUT_MS = 1_000;
/** The delays between checks of an unresponsive server; the delay doubles. */
const FIRST_RETRY_MS = 100;
const MAX_RETRY_MS = 500;

const READ_ONLY_QUERY = "select current_setting('transaction_read_only') = 'on' as is_read_only";

/** A server's possible hosts. */
export interface PostgresHosts {
  /** The connection strings. The first usable host is used. */
  readonly hosts: readonly string[];
  /** Whether only a server that accepts writes is used. */
  readonly isPrimaryOnly: boolean;
}

/**
 * A database's servers, with a `pg` pool for the server in use. If the server responds neither on a pooled connection nor on a
 * new connection, the pool is dropped. Connections are then rejected at once until a check succeeds; the checks start at once and
 * repeat. While statements succeed, a slow check indicates load and the pool stays.
 */
export class PostgresServers implements PostgresPool {
  readonly options = {};
  private readonly hosts: readonly string[];
  private readonly isPrimaryOnly: boolean;
  /** The host that was found last. */
  private at = 0;
  private readonly connecting: Connecting;
  private readonly statements = new StatementHealth();
  private readonly context: SessionContext;
  private readonly sessions = new WeakMap<PoolClient, PostgresSession>();
  private pool: Pool | undefined;
  /**
   * The pools for hosts that are no longer used. They stay open because an ended pool would leave its waiting callers without an
   * answer.
   */
  private readonly left = new Set<Pool>();
  private silence: StoreUnavailableError | undefined;
  private pendingCheck: Promise<StoreHealth> | undefined;
  private isAskingAgain = false;
  private isEnded = false;

  constructor({ hosts, isPrimaryOnly }: PostgresHosts, connecting: Connecting) {
    this.hosts = hosts.map(withoutWarning);
    this.isPrimaryOnly = isPrimaryOnly;
    this.connecting = connecting;
    this.context = {
      names: new StatementNames(connecting.isPooled ? 0 : MAX_STATEMENTS),
      health: this.statements,
      waitMs: connecting.timeouts.waitMs,
      afterBegin: afterBegin(connecting),
    };
  }

  /** Returns a connection, which the caller releases. Each server connection always has the same session object. */
  async connect(): Promise<PostgresSession> {
    if (this.silence) throw this.silence;
    const client = await this.acquire();
    const session = this.sessions.get(client) ?? new PostgresSession(client, this.context);
    this.sessions.set(client, session);
    return session;
  }

  /** Checks whether the server responds and accepts writes. Concurrent calls share a check. */
  check(): Promise<StoreHealth> {
    this.pendingCheck ??= this.ask()
      .catch(unavailable)
      .finally(() => (this.pendingCheck = undefined));
    return this.pendingCheck;
  }

  /** Closes the connections. Idempotent. */
  async end(): Promise<void> {
    this.isEnded = true;
    await this.drop();
  }

  private async drop(): Promise<void> {
    const pools = [...this.left, ...(this.pool ? [this.pool] : [])];
    this.left.clear();
    this.pool = undefined;
    await Promise.all(pools.map((pool) => pool.end()));
  }

  private async ask(): Promise<StoreHealth> {
    const startedAt = performance.now();
    // All connections of the pool may be busy: only a new one without a response shows that the server is
    // unavailable.
    const response = this.silence ? undefined : await settledWithin(CHECK_TIMEOUT_MS, this.askPool());
    return response ?? (await this.askAnew(startedAt));
  }

  private async askPool(): Promise<StoreHealth> {
    const client = await this.acquire();
    const { pool } = this;
    let isReadOnly: boolean;
    try {
      isReadOnly = await readsOnly(client);
    } finally {
      client.release();
    }
    if (isReadOnly && !this.isPrimaryOnly && (await this.acceptsWrites(this.host))) {
      this.moveOn(pool);
      isReadOnly = false;
    }
    return this.healthBy(isReadOnly);
  }

  /**
   * Checks whether a new connection reaches a server that accepts writes. After a failover the host name may lead to a different
   * server.
   */
  private async acceptsWrites(url: string): Promise<boolean> {
    return this.askServer(url).then(
      (isReadOnly) => !isReadOnly,
      () => false,
    );
  }

  private async askAnew(startedAt: number): Promise<StoreHealth> {
    let failure: unknown;
    for (const host of this.hosts.keys()) {
      try {
        const health = this.healthBy(await this.askServer(this.host));
        this.silence = undefined;
        return health;
      } catch (error) {
        failure = error;
      }
      if (host + 1 < this.hosts.length) this.moveOn(this.pool);
    }
    if (isTimeout(failure) && this.statements.hasSucceededSince(startedAt)) return this.healthOfWrites();
    if (isConnectionLost(failure)) this.giveUp(failure);
    else this.silence = undefined;
    throw translatePostgresError(failure);
  }

  private async askServer(url: string): Promise<boolean> {
    const client = new Client({
      connectionString: url,
      connectionTimeoutMillis: CHECK_TIMEOUT_MS,
      query_timeout: CHECK_TIMEOUT_MS,
    }).on('error', ignore);
    try {
      await client.connect();
      return await readsOnly(client);
    } finally {
      // Not awaited: a server that does not respond does not confirm the end either.
      client.end().catch(ignore);
    }
  }

  private healthBy(isReadOnly: boolean): StoreHealth {
    // A primary that became a standby keeps its connections.
    if (isReadOnly && this.isPrimaryOnly) this.moveOn(this.pool);
    return this.healthOfWrites(isReadOnly ? new StoreUnavailableError('it is read-only') : undefined);
  }

  private healthOfWrites(error = this.statements.error): StoreHealth {
    return error ? { state: 'read-only', error } : { state: 'ok' };
  }

  private giveUp(cause: unknown): void {
    this.silence = new StoreUnavailableError('the server does not respond', { cause });
    this.drop().catch(ignore);
    if (!this.isAskingAgain) void this.askAgain();
  }

  private async askAgain(): Promise<void> {
    this.isAskingAgain = true;
    for (let delayMs = FIRST_RETRY_MS; this.silence; delayMs = Math.min(delayMs * 2, MAX_RETRY_MS)) {
      await pause(delayMs, undefined, { ref: false });
      if (this.isEnded) break;
      await this.check();
    }
    this.isAskingAgain = false;
  }

  private get host(): string {
    return this.hosts[this.at % this.hosts.length] ?? '';
  }

  /** Moves on to the next host. If several callers found the host unusable, only the first call has an effect. */
  private moveOn(pool: Pool | undefined): void {
    if (pool !== this.pool) return;
    this.at += 1;
    this.pool = undefined;
    if (pool) this.left.add(pool);
  }

  private async acquire(): Promise<PoolClient> {
    const startedAt = performance.now();
    for (let tries = 1; ; tries += 1) {
      const pool = (this.pool ??= this.open());
      try {
        const client = await pool.connect();
        publishTime(storeChannels.wait, startedAt);
        return client;
      } catch (error) {
        if (tries >= this.hosts.length || !isUnusable(error)) throw translatePostgresError(error);
      }
      this.moveOn(pool);
    }
  }

  private open(): Pool {
    const { timeouts, poolSize, isPooled, rowPolicies } = this.connecting;
    const { waitMs, statementMs } = timeouts;
    const config: PoolConfig = {
      connectionString: this.host,
      max: poolSize,
      connectionTimeoutMillis: Math.ceil(Math.min(CONNECT_TIMEOUT_MS, waitMs) / this.hosts.length),
      query_timeout: statementMs && statementMs + CLIENT_GRACE_MS,
      // A pooler rejects them.
      ...(isPooled ? {} : serverTimeouts(timeouts)),
      ...(rowPolicies === 'all tenants' && { options: ofAllTenants }),
      ...(this.isPrimaryOnly && { verify: refuseStandby }),
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    };
    // An `error` event without a listener ends the process; the next query on the connection fails anyway.
    const pool = new Pool(config).on('error', ignore);
    return pool.on('connect', (connection) => connection.on('error', ignore));
  }
}

async function readsOnly(client: Client | PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ is_read_only: boolean }>(READ_ONLY_QUERY);
  return rows[0]?.is_read_only ?? false;
}

/** Rejects a standby. The pool calls it with each new connection. */
function refuseStandby(client: PoolClient, done: (error?: Error) => void): void {
  client.query<{ is_read_only: boolean }>(READ_ONLY_QUERY, (error: Error | null, result) => {
    if (error) done(error);
    else done(result.rows[0]?.is_read_only ? new StoreUnavailableError('it is read-only') : undefined);
  });
}

/** Returns whether the next host should be tried. A pool that is merely busy is usable. */
function isUnusable(error: unknown): boolean {
  if (error instanceof Error && error.message === 'timeout exceeded when trying to connect') return false;
  return error instanceof StoreUnavailableError || isConnectionLost(error);
}

function serverTimeouts(timeouts: Timeouts): PoolConfig {
  return {
    statement_timeout: timeouts.statementMs,
    lock_timeout: lockTimeoutOf(timeouts),
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
  };
}

/** Returns the timeouts to set in each transaction. Behind a pooler, connection timeouts would also apply to other programs. */
function afterBegin({ isPooled, timeouts }: Connecting): string {
  if (!isPooled) return '';
  return `; set local statement_timeout = ${timeouts.statementMs}; set local lock_timeout = ${lockTimeoutOf(timeouts)}; set local idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}`;
}

function ignore(): void {}
