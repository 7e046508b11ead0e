import { type Database, type Queries, statement } from '@app/persistence';

/** Queries on the hashes of recovery codes that were not used. */
export class RecoveryCodesStore {
  constructor(private readonly db: Database) {}

  /** Replaces the codes of an account. */
  async set(accountId: number, hashes: readonly string[], db: Queries): Promise<void> {
    await this.removeAll(accountId, db);
    for (const hash of hashes) await insert.execute(db, { accountId, hash });
  }

  /** Uses a code: of several uses at once, in whatever programs, one succeeds. */
  async use(accountId: number, hash: string, db: Queries = this.db): Promise<boolean> {
    return (await remove.count(db, { accountId, hash })) > 0;
  }

  async count(accountId: number, db: Queries = this.db): Promise<number> {
    return (await ofAccount.all(db, { accountId })).length;
  }

  /** @returns whether there was any */
  async removeAll(accountId: number, db: Queries): Promise<boolean> {
    return (await removeRecoveryCodes.count(db, { accountId })) > 0;
  }
}

const insert = statement(({ accountId, hash }: { accountId: number; hash: string }, db) =>
  db.insertInto('recoveryCode').values({ accountId, hash }),
);

const remove = statement(({ accountId, hash }: { accountId: number; hash: string }, db) =>
  db.deleteFrom('recoveryCode').where('hash', '=', hash).where('accountId', '=', accountId),
);

/** Removes the codes of an account. */
export const removeRecoveryCodes = statement(({ accountId }: { accountId: number }, db) =>
  db.deleteFrom('recoveryCode').where('accountId', '=', accountId),
);

const ofAccount = statement(({ accountId }: { accountId: number }, db) =>
  db.selectFrom('recoveryCode').select('hash').where('accountId', '=', accountId),
);
