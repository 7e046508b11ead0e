import { type SqliteResult, type SqliteValue } from './node-sqlite';
import { type WriteGroup } from './write-group';

/** A write transaction: a savepoint in a {@link WriteGroup}, ended by {@link commit} or {@link rollback}. */
export class SqliteTransaction {
  private readonly group: WriteGroup;
  private readonly onEnd: () => void;
  private hasEnded = false;

  /** @param onEnd called once; afterwards the next caller may write */
  constructor(group: WriteGroup, onEnd: () => void) {
    group.exec('savepoint write');
    this.group = group;
    this.onEnd = onEnd;
  }

  /** Runs a statement in the transaction. */
  run(sql: string, values: readonly SqliteValue[]): SqliteResult {
    return this.group.run(sql, values);
  }

  /** Resolves when the commit is durable. If it rejects, {@link rollback} may be called without further effect. */
  async commit(): Promise<void> {
    this.group.exec('release write');
    await this.end();
  }

  /**
   * Rolls back this transaction's writes. Has no effect after the end.
   *
   * @throws {StoreUnavailableError} if the remaining group failed to commit, which may have caused the failure
   */
  async rollback(): Promise<void> {
    if (this.hasEnded) return;
    try {
      if (this.group.isOpen) this.group.exec('rollback to write; release write');
    } catch {
      this.group.rollback();
    }
    await this.end();
  }

  private async end(): Promise<void> {
    this.hasEnded = true;
    this.onEnd();
    await this.group.committed;
  }
}
