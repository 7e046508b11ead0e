import { setTimeout as pause } from 'node:timers/promises';
import { StoreUnavailableError } from '../../errors';
import { type TimeLimits } from '../time-limits';
import { SqliteFile, type SqliteOutcome, type SqliteValue } from './node-sqlite';
import { isBusy, translateSqliteError } from './sqlite-errors';
import { SqliteTransaction } from './sqlite-transaction';
import { WriteQueue } from './write-queue';

/** Between two tries for a lock that another program holds, in milliseconds; spread, so that two do not keep step. */
const PAUSE_MS = { shortest: 2, longest: 20 };

/**
 * One SQLite file behind two connections: a reader, which in WAL mode never waits for a writer, and a writer behind a
 * writeQueue, for SQLite has one writer at a time. Connections open when they are first used, and again after an error
 * that a new connection may be free of.
 */
export class SqliteStore {
  readonly #path: string;
  readonly #limits: TimeLimits;
  readonly #writeQueue = new WriteQueue();
  #reader: SqliteFile | undefined;
  #writer: SqliteFile | undefined;

  constructor(path: string, limits: TimeLimits) {
    this.#path = path;
    this.#limits = limits;
  }

  /** Reads what is committed at this moment. */
  async read(sql: string, values: readonly SqliteValue[]): Promise<SqliteOutcome> {
    return this.#whileOthersAreBusy(this.#deadline(), () => this.#openReader().run(sql, values));
  }

  /** Runs one statement in a transaction of its own. */
  async write(sql: string, values: readonly SqliteValue[]): Promise<SqliteOutcome> {
    const deadline = this.#deadline();
    const leave = await this.#enter(deadline);
    try {
      return await this.#whileOthersAreBusy(deadline, () => this.#openWriter().run(sql, values));
    } finally {
      leave();
    }
  }

  /**
   * Begins a transaction with the write lock in hand. A transaction that begins as a reader and turns writer later can
   * find that another has written in between, and then has to start over.
   */
  async begin(): Promise<SqliteTransaction> {
    const deadline = this.#deadline();
    const leave = await this.#enter(deadline);
    try {
      const writer = await this.#whileOthersAreBusy(deadline, () => this.#beginImmediate());
      return new SqliteTransaction(writer, (isBroken) => {
        if (isBroken) this.close();
        leave();
      });
    } catch (error) {
      leave();
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
    return performance.now() + this.#limits.turnMs;
  }

  async #enter(deadline: number): Promise<() => void> {
    const leave = await this.#writeQueue.enter(deadline - performance.now());
    if (!leave) throw new StoreUnavailableError('too many writes were waiting');
    return leave;
  }

  async #whileOthersAreBusy<T>(deadline: number, work: () => T): Promise<T> {
    for (;;) {
      try {
        return work();
      } catch (error) {
        if (!isBusy(error) || performance.now() > deadline) throw this.#translate(error);
      }
      await pause(PAUSE_MS.shortest + Math.random() * (PAUSE_MS.longest - PAUSE_MS.shortest));
    }
  }

  #translate(error: unknown): unknown {
    const translated = translateSqliteError(error);
    if (translated instanceof StoreUnavailableError && !isBusy(error)) this.#closeBroken();
    return translated;
  }

  /** After a disk error a connection may hold on to what no longer holds, such as a file opened for reading only. */
  #closeBroken(): void {
    this.#reader?.close();
    this.#reader = undefined;
    if (this.#writer?.isInTransaction) return;
    this.#writer?.close();
    this.#writer = undefined;
  }
}
