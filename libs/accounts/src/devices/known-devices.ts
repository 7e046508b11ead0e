import { createHmac, type KeyObject } from 'node:crypto';
import { type Database, isAmong, isOneOf, type Queries, statement } from '@app/persistence';
import type { AccountsStore } from '../account/accounts.store';
import { addressSubject } from '../limits/attempt-subjects';
import type { SignInPlace } from './sign-in-origin';

/** How long an address or a device is known after the last sign-in from it. */
export const KNOWN_DEVICE_MS = 30 * 24 * 60 * 60 * 1000;

/** The addresses (of IPv6 the /64) and the names of devices from which accounts signed in, as keyed hashes. */
export class KnownDevices {
  /** @param keys of the hashes: the first one is used for writing, all for reading */
  constructor(
    private readonly db: Database,
    private readonly accounts: AccountsStore,
    private readonly keys: readonly [KeyObject, ...KeyObject[]],
  ) {}

  /** Whether the account signed in from the address within 30 days; the same queries for an unknown username. */
  async hasAddress(username: string, ip: string): Promise<boolean> {
    const account = await this.accounts.findByEmail(username);
    const accountId = account?.id ?? 0;
    return (await this.usedOf(accountId, [addressOf(accountId, ip)])).length > 0;
  }

  /** Whether the account signed in from the address and, there or elsewhere, from a device of the name within 30 days. */
  async has(accountId: number, { ip, device }: SignInPlace): Promise<boolean> {
    const [address, named] = [addressOf(accountId, ip), deviceTextOf(accountId, device)];
    const used = new Set(await this.usedOf(accountId, [address, named]));
    return used.has(address) && used.has(named);
  }

  /** Records a sign-in, in its transaction. */
  async record(accountId: number, { ip, device }: SignInPlace, db: Queries): Promise<void> {
    for (const text of [addressOf(accountId, ip), deviceTextOf(accountId, device)]) {
      await upsert.execute(db, { hash: hashOf(this.keys[0], text), accountId, lastSignInAt: new Date() });
    }
  }

  /** Those of the texts whose hash was used within 30 days. */
  private async usedOf(accountId: number, texts: readonly string[]): Promise<string[]> {
    const hashes = new Map(texts.flatMap((text) => this.keys.map((key) => [hashOf(key, text), text])));
    const since = new Date(Date.now() - KNOWN_DEVICE_MS);
    const used = await usedSince.all(this.db, { accountId, hashes: [...hashes.keys()], since });
    return used.flatMap(({ hash }) => hashes.get(hash) ?? []);
  }

  /**
   * Deletes addresses with no later sign-in, at most `limit`.
   *
   * @returns the number deleted; `limit` if there may be more
   */
  deleteOlder(before: Date, limit: number, db: Queries = this.db): Promise<number> {
    return deleteOlder.count(db, { before, limit });
  }
}

/** Deletes the addresses and devices of an account that is recovered: some may be those of a thief. */
export async function forgetDevices(accountId: number, db: Queries): Promise<void> {
  await deleteOf.execute(db, { accountId });
}

interface KnownDevice {
  readonly hash: string;
  readonly accountId: number;
  readonly lastSignInAt: Date;
}

interface Used {
  readonly accountId: number;
  readonly hashes: readonly string[];
  readonly since: Date;
}

const usedSince = statement(({ accountId, hashes, since }: Used, db) =>
  db
    .selectFrom('knownDevice')
    .select('hash')
    .where('accountId', '=', accountId)
    .where((address) => isOneOf(db, address.ref('hash'), hashes))
    .where('lastSignInAt', '>', since),
);

const upsert = statement(({ hash, accountId, lastSignInAt }: KnownDevice, db) =>
  db
    .insertInto('knownDevice')
    .values({ hash, accountId, lastSignInAt })
    .onConflict((conflict) => conflict.columns(['accountId', 'hash']).doUpdateSet({ lastSignInAt })),
);

const deleteOf = statement(({ accountId }: { accountId: number }, db) =>
  db.deleteFrom('knownDevice').where('accountId', '=', accountId),
);

const deleteOlder = statement(({ before, limit }: { before: Date; limit: number }, db) => {
  const oldest = db
    .selectFrom('knownDevice')
    .where('lastSignInAt', '<', before)
    .orderBy('lastSignInAt')
    .limit(limit);
  return db
    .deleteFrom('knownDevice')
    .where((row) => isAmong(db, row.ref('accountId'), oldest.select('accountId')))
    .where((row) => isAmong(db, row.ref('hash'), oldest.select('hash')))
    .where('lastSignInAt', '<', before);
});

function addressOf(accountId: number, ip: string): string {
  return `${accountId} ${addressSubject(ip)}`;
}

function deviceTextOf(accountId: number, device: string | undefined): string {
  return `${accountId} device:${device ?? ''}`;
}

function hashOf(key: KeyObject, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url');
}
