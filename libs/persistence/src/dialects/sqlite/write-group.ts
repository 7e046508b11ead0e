import { publishTime, storeChannels } from '../../channels';
import { StoreUnavailableError } from '../../errors';
import { type SqliteFile, type SqliteResult, type SqliteValue } from './node-sqlite';

/** The store parts that writing needs. */
export interface WrittenFile {
  readonly wal: { readonly pages: number; readonly open: number };
  readonly isAwaited: boolean;
  writer(): SqliteFile;
  refuseFaults(): void;
  holdReader(): void;
  releaseReader(): void;
  sync(): Promise<void>;
  checkpoint(): Promise<void>;
  noteWrite(error?: unknown): void;
  closeFailed(): void;
  closeBoth(): void;
  translate(error: unknown): unknown;
}

/** A SQLite transaction that commits several callers' writes together. */
export class WriteGroup {
  private readonly store: WrittenFile;
  private readonly writer: SqliteFile;
  private readonly outcome = Promise.withResolvers<void>();
  /** The reason for a failed write that may succeed on a new connection. */
  private failure: StoreUnavailableError | undefined;

  /** Begins the transaction. */
  constructor(store: WrittenFile) {
    this.store = store;
    this.writer = store.writer();
    // A deferred transaction would fail with SQLITE_BUSY_SNAPSHOT if another process had written since its first read.
    this.writer.exec('begin immediate');
    this.outcome.promise.catch(() => undefined);
  }

  /** Whether the transaction is open. SQLite rolls back by itself when the disk fails or is full. */
  get isOpen(): boolean {
    return this.writer.isInTransaction;
  }

  /** Resolves after the commit; rejects with a `StoreUnavailableError` if no write in the group was committed. */
  get committed(): Promise<void> {
    return this.outcome.promise;
  }

  /** Runs a statement. Each statement checks that the group is open, because a late statement would run in autocommit mode. */
  run(sql: string, values: readonly SqliteValue[]): SqliteResult {
    return this.try(() => this.writer.run(sql, values));
  }

  /** Executes SQL without parameters or result. */
  exec(sql: string): void {
    this.try(() => this.writer.exec(sql));
  }

  /**
   * Commits, or rolls everything back, and settles {@link committed} when the result is durable.
   *
   * @returns a promise that resolves when the next group may commit; never rejects
   */
  async commit(): Promise<void> {
    const startedAt = performance.now();
    try {
      if (!this.isOpen) throw this.failure ?? rolledBack();
      this.store.refuseFaults();
      this.store.holdReader();
      this.exec('commit');
    } catch (error) {
      this.store.releaseReader();
      return this.fail(error);
    }
    try {
      await this.store.sync();
      this.store.noteWrite();
      publishTime(storeChannels.commit, startedAt);
      this.outcome.resolve();
    } catch (error) {
      this.outcome.reject(error);
    }
  }

  private fail(error: unknown): void {
    this.outcome.reject(error);
    this.rollback();
    if (this.failure) this.store.closeFailed();
    else this.store.noteWrite();
  }

  /** Rolls back all uncommitted writes. If the rollback fails, the connection is closed. */
  rollback(): void {
    this.outcome.reject(rolledBack());
    try {
      if (this.isOpen) this.writer.exec('rollback');
    } catch {
      this.store.closeBoth();
    }
  }

  private try<T>(work: () => T): T {
    if (!this.isOpen) throw rolledBack();
    try {
      return work();
    } catch (error) {
      const translated = this.store.translate(error);
      if (translated instanceof StoreUnavailableError) {
        this.failure = translated;
        this.store.noteWrite(translated);
      }
      throw translated;
    }
  }
}

function rolledBack(): StoreUnavailableError {
  return new StoreUnavailableError('the transaction was rolled back by SQLite');
}
