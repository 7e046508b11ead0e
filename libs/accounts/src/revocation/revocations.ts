import { type Database, inTransaction, type Queries } from '@app/persistence';
import type { RevocationView } from './revocation-view';
import type { Revocation, RevocationsStore } from './revocations.store';

/** The way to end what access tokens go by: in the store, here at once, and everywhere within a second. */
export class Revocations {
  constructor(
    private readonly db: Database,
    private readonly store: RevocationsStore,
    private readonly view: RevocationView,
  ) {}

  /**
   * One transaction, in which what is revoked stands if, and only if, the command does.
   *
   * @param work calls `revoke` for each thing that ends; like all transactions it may run several times
   * @returns what `work` returned, once this program refuses what was revoked
   */
  async inTransaction<T>(
    work: (db: Queries, revoke: (kind: Revocation['kind'], subject: string | number) => void) => Promise<T>,
  ): Promise<T> {
    let revoked: Revocation[] = [];
    const outcome = await inTransaction(this.db, async (db) => {
      revoked = [];
      const done = await work(db, (kind, subject) => revoked.push({ kind, subject: String(subject) }));
      if (revoked.length > 0) await this.store.append(revoked, db);
      return done;
    });
    this.view.apply(revoked);
    return outcome;
  }
}
