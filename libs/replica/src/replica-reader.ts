import {
  isStatementTimeout,
  type PostgresSession,
  type ReplicaHealth,
  settledWithin,
  shareNext,
  type StoreHealth,
  StoreUnavailableError,
  systemTiming,
  type Timing,
  unavailable,
} from '@app/persistence';
import { type CompiledQuery, type QueryResult } from 'kysely';
import { flushedPosition, lagOf, replayedPosition, type WalPosition } from './wal-position';

/** The maximum wait until the replica has the earlier commits. After this time the list is read from the primary. */
const MAX_LAG_MS = 100;
const FIRST_DELAY_MS = 1;
/** The timeout for the primary's position. */
const PRIMARY_TIMEOUT_MS = 1_000;

/** The part of a connection that is used on either server. */
interface Connection extends Pick<PostgresSession, 'discard' | 'execute'> {
  query<Row>(text: string, parameters: readonly unknown[]): Promise<QueryResult<Row>>;
  release(): void;
}
interface Server {
  connect(): Promise<Connection>;
  check(): Promise<StoreHealth>;
  end(): Promise<void>;
}

const lagging = new StoreUnavailableError('the replica lags');

/**
 * Reads from a standby every change that the primary had acknowledged when the read began, whichever program wrote it. It first
 * asks for the primary's log position, and reads from the standby once it has reached the position.
 */
export class ReplicaReader {
  private readonly replica: Server;
  private readonly primary: Server;
  private readonly timing: Timing;
  private readonly target: () => Promise<WalPosition>;
  /** The latest position of each connection to the replica. */
  private readonly reached = new WeakMap<object, WalPosition>();
  private lastHealth: ReplicaHealth = { state: 'ok' };
  private checking: Promise<ReplicaHealth> | undefined;
  private lost = lossOfReplica();
  private isEnded = false;

  /** Creates a reader. @param primary is asked for positions only, with a single query at a time */
  constructor(replica: Server, primary: Server, timing = systemTiming) {
    this.replica = replica;
    this.primary = primary;
    this.timing = timing;
    this.target = shareNext(() => this.askPrimary());
  }

  /** The health at the last check or read. */
  get health(): ReplicaHealth {
    return this.lastHealth;
  }

  /**
   * Reads from the replica, if it can be used.
   *
   * @returns `undefined` if the primary must be read instead
   */
  async read<Row>(query: CompiledQuery): Promise<QueryResult<Row> | undefined> {
    if (this.lastHealth.state !== 'ok' || this.isEnded) return undefined;
    try {
      return await Promise.race([this.readCaughtUp<Row>(query), this.lost.promise]);
    } catch (error) {
      // A statement that is too slow here would be so on the primary, for everybody.
      if (!(error instanceof StoreUnavailableError) || isStatementTimeout(error)) throw error;
      return undefined;
    }
  }

  /** Checks whether the replica responds, and is caught up. It never throws. Concurrent calls share a check. */
  check(): Promise<ReplicaHealth> {
    this.checking ??= this.ask()
      .catch((error: unknown): ReplicaHealth => ({ ...unavailable(error), state: 'unavailable' }))
      .then((health) => this.become(health))
      .finally(() => (this.checking = undefined));
    return this.checking;
  }

  /** Closes the connections. It is idempotent. */
  async end(): Promise<void> {
    this.isEnded = true;
    await this.checking;
    await Promise.all([this.replica.end(), this.primary.end()]);
  }

  private async readCaughtUp<Row>(query: CompiledQuery): Promise<QueryResult<Row> | undefined> {
    const target = await this.target();
    if (this.isEnded) return undefined;
    const connection = await this.replica.connect();
    try {
      const isCaughtUp = lagOf(await this.catchUp(connection, target), target) === 0;
      if (isCaughtUp) return await connection.query<Row>(query.sql, query.parameters);
      this.become({ state: 'lagging', error: lagging });
      return undefined;
    } finally {
      connection.release();
    }
  }

  private async ask(): Promise<ReplicaHealth> {
    const { state, error } = await this.replica.check();
    if (state === 'unavailable') return { state, error };
    const target = await settledWithin(PRIMARY_TIMEOUT_MS, this.target(), this.timing).catch(ignore);
    // Nothing is known without the primary, which is checked elsewhere.
    if (target === undefined) return this.lastHealth;
    const connection = await this.replica.connect();
    try {
      const lagBytes = lagOf(await this.catchUp(connection, target), target);
      return lagBytes === 0 ? { state: 'ok', lagBytes } : { state: 'lagging', lagBytes, error: lagging };
    } finally {
      connection.release();
    }
  }

  private async askPrimary(): Promise<WalPosition> {
    const connection = await this.primary.connect();
    try {
      return await flushedPosition(connection);
    } finally {
      connection.release();
    }
  }

  /**
   * Waits until a query on the connection sees everything up to `target`, for {@link MAX_LAG_MS} at most.
   *
   * @returns the position it has reached; `undefined` if it did not respond
   */
  private async catchUp(connection: Connection, target: WalPosition): Promise<WalPosition | undefined> {
    const { timing } = this;
    const deadline = timing.monotonic() + MAX_LAG_MS;
    let at = this.reached.get(connection);
    if (lagOf(at, target) === 0) return at;
    for (let delayMs = FIRST_DELAY_MS; ; delayMs *= 2) {
      at = await settledWithin(MAX_LAG_MS, replayedPosition(connection), timing);
      if (at) this.reached.set(connection, at);
      else connection.discard();
      if (!(lagOf(at, target) > 0) || timing.monotonic() > deadline) return at;
      await timing.pause(delayMs);
    }
  }

  private become(health: ReplicaHealth): ReplicaHealth {
    if (health.state === 'unavailable' && this.lastHealth.state !== 'unavailable') {
      this.lost.reject(health.error);
      this.lost = lossOfReplica();
    }
    return (this.lastHealth = health);
  }
}

/** Returns a promise that ends reads which wait for an unresponsive replica. */
function lossOfReplica(): PromiseWithResolvers<never> {
  const loss = Promise.withResolvers<never>();
  loss.promise.catch(ignore);
  return loss;
}

function ignore(): undefined {}
