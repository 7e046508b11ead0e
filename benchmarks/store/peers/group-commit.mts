import type { DatabaseSync } from 'node:sqlite';

/** Commits the writes of one iteration of the event loop together, with a savepoint for each. */
export class GroupCommit {
  private readonly database: DatabaseSync;
  private committed: PromiseWithResolvers<void> | undefined;

  constructor(database: DatabaseSync) {
    this.database = database;
  }

  async run<T>(work: () => T): Promise<T> {
    const { promise } = (this.committed ??= this.begin());
    this.database.exec('savepoint one');
    try {
      return work();
    } catch (error) {
      this.database.exec('rollback to one');
      throw error;
    } finally {
      this.database.exec('release one');
      await promise;
    }
  }

  private begin(): PromiseWithResolvers<void> {
    const committed = Promise.withResolvers<void>();
    this.database.exec('begin immediate');
    setImmediate(() => {
      this.committed = undefined;
      this.database.exec('commit');
      committed.resolve();
    });
    return committed;
  }
}
