import { type Database, inTransaction, type Queries } from '@app/persistence';
import { coalesce } from './coalesce';
import type { RevocationView } from './revocation-view';
import type { Revocation, RevocationsStore } from './revocations.store';

/** Adds a revocation to the current transaction. */
export type Revoke = (kind: Revocation['kind'], subject: string | number) => void;

/** Revokes sessions and tokens: in this process at once, in all others within a second. */
export class Revocations {
  /** Not part of the transaction: PostgreSQL lets those that notify commit one at a time. */
  private readonly announce = coalesce(() => this.store.announce().catch(() => undefined));

  constructor(
    private readonly db: Database,
    private readonly store: RevocationsStore,
    private readonly view: RevocationView,
  ) {}

  /**
   * Runs a transaction whose revocations are committed with it.
   *
   * @param work calls `revoke` for each revocation; may run several times, like every transaction
   * @returns the result of `work`, after the revocations apply in this process
   */
  async inTransaction<T>(work: (db: Queries, revoke: Revoke) => Promise<T>): Promise<T> {
    let revoked: Revocation[] = [];
    const result = await inTransaction(this.db, async (db) => {
      revoked = [];
      const value = await work(db, (kind, subject) => revoked.push({ kind, subject: String(subject) }));
      if (revoked.length > 0) await this.store.append(revoked, db);
      return value;
    });
    this.view.apply(revoked);
    if (revoked.length > 0) void this.announce();
    return result;
  }
}
