import { type StoreHealth, unavailable } from '../store-health';
import { type Timeouts } from '../timeouts';
import { type SqliteFile, type SqliteResult, type SqliteValue } from './node-sqlite';
import { retryWhileBusy } from './retry-while-busy';
import { SqliteConnections } from './sqlite-connections';
import { type SqliteTransaction } from './sqlite-transaction';
import { type CheckpointLimits, checkpointLimits, WriteGroups } from './write-groups';

/**
 * One SQLite file with two connections: a reader, which in WAL mode does not block on a writer, and a writer, whose
 * transactions are committed in {@link WriteGroups}.
 */
export class SqliteStore {
  private readonly connections: SqliteConnections;
  private readonly timeouts: Timeouts;
  private readonly writes: WriteGroups;

  constructor(path: string, timeouts: Timeouts, limits: CheckpointLimits = checkpointLimits) {
    this.connections = new SqliteConnections(path);
    this.timeouts = timeouts;
    this.writes = new WriteGroups(this.connections, limits);
  }

  /** Runs a query on the committed data. */
  read(sql: string, values: readonly SqliteValue[]): Promise<SqliteResult> {
    return retryWhileBusy(this.connections, this.deadline(), () =>
      this.connections.currentReader().run(sql, values),
    );
  }

  /** Runs one statement that changes rows. */
  write(sql: string, values: readonly SqliteValue[]): Promise<SqliteResult> {
    return this.writes.run(sql, values, this.deadline());
  }

  /** Runs a statement that may not be allowed in a transaction, such as `pragma` or `vacuum`. */
  execute(sql: string, values: readonly SqliteValue[]): Promise<SqliteResult> {
    const deadline = this.deadline();
    return this.writes.alone(deadline, () =>
      retryWhileBusy(this.connections, deadline, () => this.connections.writer().run(sql, values)),
    );
  }

  /** Begins a transaction that holds the write lock. */
  begin(): Promise<SqliteTransaction> {
    return this.writes.begin(this.deadline());
  }

  /**
   * Has the next write begin the WAL anew, after all of it was read and checkpointed; no program writes meanwhile.
   *
   * @param readRest reads what the WAL has that was not read; it is called while nobody can write
   * @param restarted is called at once after the write that may have begun it anew
   */
  restartWal(readRest: () => Promise<void>, restarted: () => void): Promise<void> {
    const deadline = this.deadline();
    return this.writes.alone(deadline, async () => {
      await this.locked(deadline, async () => {
        await readRest();
        await this.connections.checkpoint();
      });
      // A WAL that is checkpointed as a whole is begun anew by a transaction that begins now.
      await this.locked(deadline, async (writer) => {
        await readRest();
        const [version] = writer.run('pragma user_version', []).rows;
        writer.exec(`pragma user_version = ${Number(version?.user_version)}`);
      });
      restarted();
    });
  }

  /** Runs `work` with the write lock of the file. */
  private async locked(deadline: number, work: (writer: SqliteFile) => Promise<void>): Promise<void> {
    const connections = this.connections;
    await retryWhileBusy(connections, deadline, () => connections.writer().exec('begin immediate'));
    const writer = connections.writer();
    try {
      await work(writer);
      writer.exec('commit');
    } catch (error) {
      if (writer.isInTransaction) writer.exec('rollback');
      throw error;
    }
  }

  /** Whether reads and writes succeed. */
  async check(): Promise<StoreHealth> {
    try {
      this.connections.refuseFaults();
      await this.read('select 1 from sqlite_schema limit 1', []);
      return this.connections.health;
    } catch (error) {
      return unavailable(error);
    }
  }

  /** Closes all connections. */
  close(): Promise<void> {
    return this.connections.end();
  }

  private deadline(): number {
    return performance.now() + this.timeouts.waitMs;
  }
}
