import type { DatabaseSync } from 'node:sqlite';

/** Commits all writes in an event-loop iteration together, with a savepoint for each write. */
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
