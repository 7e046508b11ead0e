import { StoreUnavailableError } from '../../errors';
import { type SqliteFile, type SqliteOutcome, type SqliteValue } from './node-sqlite';
import { translateSqliteError } from './sqlite-errors';

/** A write transaction that has begun; it ends once, by {@link commit} or {@link rollback}. */
export class SqliteTransaction {
  readonly #file: SqliteFile;
  readonly #onEnd: (isBroken: boolean) => void;
  #hasEnded = false;
  #isBroken = false;

  /** @param onEnd hears, once, that it is over, and whether its connection had better be opened anew */
  constructor(file: SqliteFile, onEnd: (isBroken: boolean) => void) {
    this.#file = file;
    this.#onEnd = onEnd;
  }

  /** Runs one statement within the transaction. */
  run(sql: string, values: readonly SqliteValue[]): SqliteOutcome {
    return this.#atWork(() => this.#file.run(sql, values));
  }

  /** Makes it last: when this returns, the disk has it. If it throws, {@link rollback} is still to be called. */
  commit(): void {
    this.#atWork(() => this.#file.exec('commit'));
    this.#end();
  }

  /** Undoes it; does nothing once it has ended. A connection that cannot even roll back is given up instead. */
  rollback(): void {
    if (this.#hasEnded) return;
    try {
      if (this.#file.isInTransaction) this.#file.exec('rollback');
    } catch {
      this.#isBroken = true;
    }
    this.#end();
  }

  /**
   * SQLite ends a transaction by itself when the disk fails or fills up. A statement that came after would commit on
   * its own, as half of what was to be one.
   */
  #atWork<T>(work: () => T): T {
    if (!this.#file.isInTransaction) throw new StoreUnavailableError('the transaction was lost');
    try {
      return work();
    } catch (error) {
      const translated = translateSqliteError(error);
      this.#isBroken ||= translated instanceof StoreUnavailableError;
      throw translated;
    }
  }

  #end(): void {
    this.#hasEnded = true;
    this.#onEnd(this.#isBroken);
  }
}
