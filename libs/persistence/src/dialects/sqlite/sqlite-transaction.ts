import { StoreUnavailableError } from '../../errors';
import { type SqliteFile, type SqliteResult, type SqliteValue } from './node-sqlite';
import { translateSqliteError } from './sqlite-errors';

/** An open write transaction, ended by {@link commit} or {@link rollback}. */
export class SqliteTransaction {
  readonly #file: SqliteFile;
  readonly #onEnd: (hasFailed: boolean) => void;
  #hasEnded = false;
  #hasFailed = false;

  /** @param onEnd called once, with whether the connection must be reopened */
  constructor(file: SqliteFile, onEnd: (hasFailed: boolean) => void) {
    this.#file = file;
    this.#onEnd = onEnd;
  }

  /** Runs one statement in the transaction. */
  run(sql: string, values: readonly SqliteValue[]): SqliteResult {
    return this.#run(() => this.#file.run(sql, values));
  }

  /** Commits durably. If it throws, {@link rollback} must still be called. */
  commit(): void {
    this.#run(() => this.#file.exec('commit'));
    this.#end();
  }

  /** Rolls back; does nothing after the end. A connection whose rollback fails is closed. */
  rollback(): void {
    if (this.#hasEnded) return;
    try {
      if (this.#file.isInTransaction) this.#file.exec('rollback');
    } catch {
      this.#hasFailed = true;
    }
    this.#end();
  }

  /**
   * SQLite rolls back by itself when the disk fails or is full. A later statement would then run in autocommit mode, so
   * each one first checks that the transaction is still open.
   */
  #run<T>(work: () => T): T {
    if (!this.#file.isInTransaction)
      throw new StoreUnavailableError('the transaction was rolled back by SQLite');
    try {
      return work();
    } catch (error) {
      const translated = translateSqliteError(error);
      this.#hasFailed ||= translated instanceof StoreUnavailableError;
      throw translated;
    }
  }

  #end(): void {
    this.#hasEnded = true;
    this.#onEnd(this.#hasFailed);
  }
}
