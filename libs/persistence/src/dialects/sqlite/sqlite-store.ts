import { setTimeout as pause } from 'node:timers/promises';
import { StoreUnavailableError } from '../../errors';
import { type Timeouts } from '../timeouts';
import { SqliteFile, type SqliteResult, type SqliteValue } from './node-sqlite';
import { isBusy, translateSqliteError } from './sqlite-errors';
import { SqliteTransaction } from './sqlite-transaction';
import { WriteQueue } from './write-queue';

/** Delay between two attempts to take a lock that another process holds; random, to avoid lockstep. */
const RETRY_DELAY_MS = { min: 2, max: 20 };

/**
 * One SQLite file with two connections: a reader, which in WAL mode does not block on a writer, and a writer behind a
 * {@link WriteQueue}, because SQLite allows one writer. Connections are opened on first use, and reopened after errors
 * that a new connection may not have.
 */
export class SqliteStore {
  readonly #path: string;
  readonly #timeouts: Timeouts;
  readonly #writeQueue = new WriteQueue();
  #reader: SqliteFile | undefined;
  #writer: SqliteFile | undefined;

  constructor(path: string, timeouts: Timeouts) {
    this.#path = path;
    this.#timeouts = timeouts;
  }

  /** Runs a query on the committed data. */
  async read(sql: string, values: readonly SqliteValue[]): Promise<SqliteResult> {
    return this.#retryWhileBusy(this.#deadline(), () => this.#openReader().run(sql, values));
  }

  /** Runs one statement in its own transaction. */
  async write(sql: string, values: readonly SqliteValue[]): Promise<SqliteResult> {
    const deadline = this.#deadline();
    const release = await this.#acquire(deadline);
    try {
      return await this.#retryWhileBusy(deadline, () => this.#openWriter().run(sql, values));
    } finally {
      release();
    }
  }

  /**
   * Begins a transaction that holds the write lock. A deferred transaction would fail with `SQLITE_BUSY_SNAPSHOT` on its
   * first write if another had written since its first read.
   */
  async begin(): Promise<SqliteTransaction> {
    const deadline = this.#deadline();
    const release = await this.#acquire(deadline);
    try {
      const writer = await this.#retryWhileBusy(deadline, () => this.#beginImmediate());
      return new SqliteTransaction(writer, (hasFailed) => {
        if (hasFailed) this.close();
        release();
      });
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Closes both connections. */
  close(): void {
    this.#reader?.close();
    this.#writer?.close();
    this.#reader = this.#writer = undefined;
  }

  #openReader(): SqliteFile {
    this.#reader ??= new SqliteFile(this.#path, 'read');
    return this.#reader;
  }

  #openWriter(): SqliteFile {
    this.#writer ??= new SqliteFile(this.#path, 'write');
    return this.#writer;
  }

  #beginImmediate(): SqliteFile {
    const writer = this.#openWriter();
    writer.exec('begin immediate');
    return writer;
  }

  #deadline(): number {
    return performance.now() + this.#timeouts.waitMs;
  }

  async #acquire(deadline: number): Promise<() => void> {
    const release = await this.#writeQueue.acquire(deadline - performance.now());
    if (!release) throw new StoreUnavailableError('timed out in the write queue');
    return release;
  }

  async #retryWhileBusy<T>(deadline: number, work: () => T): Promise<T> {
    for (;;) {
      try {
        return work();
      } catch (error) {
        if (!isBusy(error) || performance.now() > deadline) throw this.#translate(error);
      }
      await pause(RETRY_DELAY_MS.min + Math.random() * (RETRY_DELAY_MS.max - RETRY_DELAY_MS.min));
    }
  }

  #translate(error: unknown): unknown {
    const translated = translateSqliteError(error);
    if (translated instanceof StoreUnavailableError && !isBusy(error)) this.#closeFailed();
    return translated;
  }

  /** A connection may keep a failed state, such as a file that was opened read-only. */
  #closeFailed(): void {
    this.#reader?.close();
    this.#reader = undefined;
    if (this.#writer?.isInTransaction) return;
    this.#writer?.close();
    this.#writer = undefined;
  }
}
