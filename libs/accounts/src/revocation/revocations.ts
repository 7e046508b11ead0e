import { Database, inTransaction, type Queries, StoreUnavailableError } from '@app/persistence';
import { Injectable, Optional } from '@nestjs/common';
import { coalesce } from './coalesce';
import { type EntryNumber, EntryNumbers } from './entry-numbers';
import { RevocationCache } from './revocation-cache';
import { type Revocation, RevocationsStore } from './revocations.store';

/** Adds a revocation to the current transaction. */
export type Revoke = (kind: Revocation['kind'], subject: string | number) => void;

/** Revokes sessions and tokens: in this process at once, in all others within a second. */
@Injectable()
export class Revocations {
  /** Not part of the transaction: PostgreSQL lets those that notify commit one at a time. */
  private readonly announce = coalesce(() => this.store.announce());

  constructor(
    private readonly db: Database,
    private readonly store: RevocationsStore,
    private readonly cache: RevocationCache,
    @Optional() private readonly numbers: EntryNumbers = new EntryNumbers(cache.keepMs),
  ) {}

  /**
   * Runs a transaction whose revocations are committed with it.
   *
   * @param work calls `revoke` for each revocation; may run several times, like every transaction
   * @returns the result of `work`, after the revocations apply in this process
   */
  async inTransaction<T>(work: (db: Queries, revoke: Revoke) => Promise<T>): Promise<T> {
    let revoked: Revocation[] = [];
    const numbers: EntryNumber[] = [];
    const run = inTransaction(this.db, async (db) => {
      revoked = [];
      const value = await work(db, (kind, subject) => revoked.push({ kind, subject: String(subject) }));
      const entries = revoked.map((revocation) => ({ ...revocation, ...this.numbers.next() }));
      numbers.push(...entries);
      await this.store.append(entries, db);
      return value;
    });
    const result = await run.catch((error: unknown) => {
      // Without the store the outcome of a commit is unknown.
      if (!(error instanceof StoreUnavailableError)) this.numbers.settle(numbers);
      throw error;
    });
    this.cache.apply(revoked);
    this.numbers.settle(numbers);
    if (revoked.length > 0) void this.announce();
    return result;
  }
}
