import { Database, type Queries, statement } from '@app/persistence';
import { Injectable } from '@nestjs/common';
import type { PasskeyRow } from './passkey.table';

/** A passkey to enrol. */
export type NewPasskey = Omit<PasskeyRow, 'id' | 'lastUsedAt'>;

/** Queries on passkeys. */
@Injectable()
export class PasskeysStore {
  constructor(private readonly db: Database) {}

  /** Returns an account's passkeys, oldest first. */
  listOf(accountId: number, db: Queries = this.db): Promise<PasskeyRow[]> {
    return byAccount.all(db, { accountId });
  }

  findByCredential(credentialId: string): Promise<PasskeyRow | undefined> {
    return byCredential.first(this.db, { credentialId });
  }

  /** @returns its id; `undefined` if an account already has this credential id */
  async insert(passkey: NewPasskey, db: Queries): Promise<number | undefined> {
    return (await insert.first(db, passkey))?.id;
  }

  /**
   * Records a signature in a single statement. If several programs record the same count at once, only a single call succeeds.
   *
   * @param counter the count that the passkey sent; 0 if it does not count
   * @returns whether this count is higher than all recorded counts
   */
  async use({ id, accountId }: Pick<PasskeyRow, 'id' | 'accountId'>, counter: number): Promise<boolean> {
    return (await use.count(this.db, { id, accountId, counter, now: new Date() })) > 0;
  }

  /**
   * Removes passkeys from an account.
   *
   * @param id the passkey's id; `undefined` removes all
   * @returns whether any passkey was removed
   */
  async remove(accountId: number, id: number | undefined, db: Queries): Promise<boolean> {
    if (id === undefined) return (await endPasskeys(accountId, new Date(0), db)) > 0;
    return (await removeOne.count(db, { accountId, id })) > 0;
  }
}

const byAccount = statement(({ accountId }: { accountId: number }, db) =>
  db.selectFrom('passkey').selectAll().where('accountId', '=', accountId).orderBy('id'),
);

const byCredential = statement(({ credentialId }: { credentialId: string }, db) =>
  db.selectFrom('passkey').selectAll().where('credentialId', '=', credentialId),
);

const insert = statement((passkey: NewPasskey, db) =>
  db
    .insertInto('passkey')
    .values({
      accountId: passkey.accountId,
      credentialId: passkey.credentialId,
      publicKey: passkey.publicKey,
      counter: passkey.counter,
      transports: passkey.transports,
      name: passkey.name,
      createdAt: passkey.createdAt,
      lastUsedAt: null,
    })
    .onConflict((conflict) => conflict.column('credentialId').doNothing())
    .returning('id'),
);

interface Signature {
  readonly id: number;
  readonly accountId: number;
  readonly counter: number;
  readonly now: Date;
}

/** An authenticator that does not count sends 0 with each signature. */
const use = statement(({ id, accountId, counter, now }: Signature, db) =>
  db
    .updateTable('passkey')
    .set({ counter, lastUsedAt: now })
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .where((row) =>
      row.or([
        row('counter', '<', counter),
        row.and([row('counter', '=', 0), row(row.val(counter), '=', 0)]),
      ]),
    ),
);

const removeOne = statement(({ accountId, id }: { accountId: number; id: number }, db) =>
  db.deleteFrom('passkey').where('accountId', '=', accountId).where('id', '=', id),
);

/** Ends passkeys of an account that were enrolled at a time or later. */
export function endPasskeys(accountId: number, since: Date, db: Queries): Promise<number> {
  return removeSince.count(db, { accountId, since });
}

const removeSince = statement(({ accountId, since }: { accountId: number; since: Date }, db) =>
  db.deleteFrom('passkey').where('accountId', '=', accountId).where('createdAt', '>=', since),
);
