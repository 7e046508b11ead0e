import { createHmac, type KeyObject } from 'node:crypto';
import type { Database, Queries } from '@app/persistence';
import type { AccountsStore } from './accounts.store';
import { addressSubject } from './attempt-subjects';

/** How long an address stays familiar after the last sign-in from it. */
export const FAMILIAR_MS = 30 * 24 * 60 * 60 * 1000;

/** The addresses (of IPv6 the /64) from which accounts signed in, as keyed hashes. */
export class FamiliarAddresses {
  /** @param keys of the hashes: the first one is used for writing, all for reading */
  constructor(
    private readonly db: Database,
    private readonly accounts: AccountsStore,
    private readonly keys: readonly [KeyObject, ...KeyObject[]],
  ) {}

  /** Whether the account signed in from the address within 30 days; the same queries for an unknown username. */
  async includes(username: string, ip: string): Promise<boolean> {
    const account = await this.accounts.findByEmail(username);
    const hashes = this.keys.map((key) => hashOf(key, account?.id ?? 0, ip));
    const row = await this.db
      .selectFrom('familiarAddress')
      .select('hash')
      .where('hash', 'in', hashes)
      .where('lastSignInAt', '>', new Date(Date.now() - FAMILIAR_MS))
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Records a sign-in, in its transaction. */
  async record(accountId: number, ip: string, db: Queries): Promise<void> {
    const lastSignInAt = new Date();
    await db
      .insertInto('familiarAddress')
      .values({ hash: hashOf(this.keys[0], accountId, ip), accountId, lastSignInAt })
      .onConflict((conflict) => conflict.column('hash').doUpdateSet({ lastSignInAt }))
      .execute();
  }

  /**
   * Deletes addresses with no later sign-in, at most `limit`.
   *
   * @returns the number deleted; `limit` if there may be more
   */
  async deleteOlder(before: Date, limit: number, db: Queries = this.db): Promise<number> {
    const oldest = db
      .selectFrom('familiarAddress')
      .select('hash')
      .where('lastSignInAt', '<', before)
      .orderBy('lastSignInAt')
      .limit(limit);
    const { numDeletedRows } = await db
      .deleteFrom('familiarAddress')
      .where('hash', 'in', oldest)
      .where('lastSignInAt', '<', before)
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  }
}

function hashOf(key: KeyObject, accountId: number, ip: string): string {
  return createHmac('sha256', key)
    .update(`${accountId} ${addressSubject(ip)}`)
    .digest('base64url');
}
