import { type StoreHealth, unavailable } from '../store-health';
import { type Timeouts } from '../timeouts';
import { type SqliteResult, type SqliteValue } from './node-sqlite';
import { retryWhileBusy } from './retry-while-busy';
import { SqliteConnections } from './sqlite-connections';
import { type SqliteTransaction } from './sqlite-transaction';
import { type CheckpointLimits, checkpointLimits, WriteGroups } from './write-groups';

/**
 * One SQLite file with two connections: a reader, which in WAL mode does not block on a writer, and a writer, whose
 * transactions are committed in {@link WriteGroups}.
 */
export class SqliteStore {
  readonly #connections: SqliteConnections;
  readonly #timeouts: Timeouts;
  readonly #writes: WriteGroups;

  constructor(path: string, timeouts: Timeouts, limits: CheckpointLimits = checkpointLimits) {
    this.#connections = new SqliteConnections(path);
    this.#timeouts = timeouts;
    this.#writes = new WriteGroups(this.#connections, limits);
  }

  /** Runs a query on the committed data. */
  read(sql: string, values: readonly SqliteValue[]): Promise<SqliteResult> {
    return retryWhileBusy(this.#connections, this.#deadline(), () =>
      this.#connections.reader().run(sql, values),
    );
  }

  /** Runs one statement that changes rows. */
  write(sql: string, values: readonly SqliteValue[]): Promise<SqliteResult> {
    return this.#writes.run(sql, values, this.#deadline());
  }

  /** Runs a statement that may not be allowed in a transaction, such as `pragma` or `vacuum`. */
  execute(sql: string, values: readonly SqliteValue[]): Promise<SqliteResult> {
    const deadline = this.#deadline();
    return this.#writes.alone(deadline, () =>
      retryWhileBusy(this.#connections, deadline, () => this.#connections.writer().run(sql, values)),
    );
  }

  /** Begins a transaction that holds the write lock. */
  begin(): Promise<SqliteTransaction> {
    return this.#writes.begin(this.#deadline());
  }

  /** Whether reads and writes succeed. */
  async check(): Promise<StoreHealth> {
    try {
      this.#connections.refuseFaults();
      await this.read('select 1 from sqlite_schema limit 1', []);
      return this.#connections.health;
    } catch (error) {
      return unavailable(error);
    }
  }

  /** Closes all connections. */
  async close(): Promise<void> {
    await this.#connections.end();
  }

  #deadline(): number {
    return performance.now() + this.#timeouts.waitMs;
  }
}
