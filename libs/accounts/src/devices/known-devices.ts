import { createHmac, type KeyObject } from 'node:crypto';
import { deriveKeys } from '@app/auth';
import { Database, isAmong, isOneOf, type Queries, statement } from '@app/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { AccountsStore } from '../account/accounts.store';
import { addressSubject } from '../limits/attempt-subjects';
import type { Client } from './client';
import { AccountsOptions } from '../options';

/** The time for which an address or a device is known after its last sign-in. */
export const KNOWN_DEVICE_MS = 30 * 24 * 60 * 60 * 1000;

/** Stores the addresses and device names from which accounts signed in, as keyed hashes. An IPv6 address counts by its /64. */
@Injectable()
export class KnownDevices {
  /** The keys of the hashes: the first key is used for writing, all for reading. */
  private readonly keys: readonly [KeyObject, ...KeyObject[]];

  constructor(
    private readonly db: Database,
    private readonly accounts: AccountsStore,
    @Inject(AccountsOptions) { secrets }: Pick<AccountsOptions, 'secrets'>,
  ) {
    this.keys = deriveKeys(secrets(), 'known devices');
  }

  /** Returns whether the account signed in from the address within 30 days. Runs the same queries for an unknown username. */
  async hasAddress(username: string, ip: string, db: Queries = this.db): Promise<boolean> {
    const accountId = (await this.accounts.findByEmail(username, db))?.id ?? 0;
    const hashes = this.hashesOf(addressOf(accountId, ip));
    return (await usedSince.all(db, { accountId, hashes, since: knownSince() })).length > 0;
  }

  /**
   * Records a sign-in, in its transaction.
   *
   * @returns whether the account signed in from the address and, at any address, from a device with this name within 30 days
   */
  async record(accountId: number, { ip, device }: Client, db: Queries): Promise<boolean> {
    const [address, named] = [addressOf(accountId, ip), deviceTextOf(accountId, device)];
    const [ofAddress, ofDevice] = [this.hashesOf(address), this.hashesOf(named)];
    const now = new Date();
    const hashes = [...ofAddress, ...ofDevice];
    const rows = await touch.all(db, { accountId, hashes, since: knownSince(), now });
    const knownHashes = new Set(rows.map(({ hash }) => hash));
    const [addressHash, deviceHash] = [hashOf(this.keys[0], address), hashOf(this.keys[0], named)];
    if (!knownHashes.has(addressHash) || !knownHashes.has(deviceHash))
      await upsert.execute(db, { addressHash, deviceHash, accountId, now });
    const isKnown = (hash: string) => knownHashes.has(hash);
    return ofAddress.some(isKnown) && ofDevice.some(isKnown);
  }

  private hashesOf(text: string): string[] {
    return this.keys.map((key) => hashOf(key, text));
  }

  /**
   * Deletes addresses with no later sign-in, at most `limit`.
   *
   * @returns the number deleted; `limit` if more may be left
   */
  deleteOlder(before: Date, limit: number, db: Queries = this.db): Promise<number> {
    return deleteOlder.count(db, { before, limit });
  }
}

/** Deletes a recovered account's addresses and devices, because a thief may have used them. */
export async function forgetDevices(accountId: number, db: Queries): Promise<void> {
  await deleteOf.execute(db, { accountId });
}

/** Returns the time since which a sign-in makes a device known. */
function knownSince(): Date {
  return new Date(Date.now() - KNOWN_DEVICE_MS);
}

interface KnownDevice {
  readonly addressHash: string;
  readonly deviceHash: string;
  readonly accountId: number;
  readonly now: Date;
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

const touch = statement(({ accountId, hashes, since, now }: Used & { now: Date }, db) =>
  db
    .updateTable('knownDevice')
    .set({ lastSignInAt: now })
    .where('accountId', '=', accountId)
    .where((address) => isOneOf(db, address.ref('hash'), hashes))
    .where('lastSignInAt', '>', since)
    .returning('hash'),
);

const upsert = statement(({ addressHash, deviceHash, accountId, now }: KnownDevice, db) =>
  db
    .insertInto('knownDevice')
    .values([addressHash, deviceHash].map((hash) => ({ hash, accountId, lastSignInAt: now })))
    .onConflict((conflict) => conflict.columns(['accountId', 'hash']).doUpdateSet({ lastSignInAt: now })),
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
