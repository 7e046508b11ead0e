import { Database, type Queries, statement } from '@app/persistence';
import { Injectable } from '@nestjs/common';
import type { Selectable } from 'kysely';
import type { RecoveryCodeTable } from './recovery-code.table';

/** Queries on the hashes of recovery codes that were not used. */
@Injectable()
export class RecoveryCodesStore {
  constructor(private readonly db: Database) {}

  /** Replaces an account's codes. */
  async set(accountId: number, hashes: readonly string[], db: Queries): Promise<void> {
    await this.removeAll(accountId, db);
    const createdAt = new Date();
    for (const hash of hashes) await insert.execute(db, { accountId, hash, createdAt });
  }

  /** Uses a code. Only a single concurrent use across all programs succeeds. */
  async use(accountId: number, hash: string, db: Queries = this.db): Promise<boolean> {
    return (await remove.count(db, { accountId, hash })) > 0;
  }

  /** Returns whether an account has this code, unused. */
  async has(accountId: number, hash: string): Promise<boolean> {
    return (await byHash.first(this.db, { accountId, hash })) !== undefined;
  }

  async count(accountId: number, db: Queries = this.db): Promise<number> {
    return (await ofAccount.all(db, { accountId })).length;
  }

  /** @returns whether any code was removed */
  async removeAll(accountId: number, db: Queries): Promise<boolean> {
    return (await endRecoveryCodes(accountId, new Date(0), db)) > 0;
  }
}

const insert = statement(({ accountId, hash, createdAt }: Selectable<RecoveryCodeTable>, db) =>
  db.insertInto('recoveryCode').values({ accountId, hash, createdAt }),
);

const remove = statement(({ accountId, hash }: { accountId: number; hash: string }, db) =>
  db.deleteFrom('recoveryCode').where('hash', '=', hash).where('accountId', '=', accountId),
);

const byHash = statement(({ accountId, hash }: { accountId: number; hash: string }, db) =>
  db
    .selectFrom('recoveryCode')
    .select('accountId')
    .where('hash', '=', hash)
    .where('accountId', '=', accountId),
);

/** Ends the codes of an account that were made at a time or later. */
export function endRecoveryCodes(accountId: number, since: Date, db: Queries): Promise<number> {
  return removeSince.count(db, { accountId, since });
}

/** Codes without a time were made before there was a column for it. */
const removeSince = statement(({ accountId, since }: { accountId: number; since: Date }, db) =>
  db
    .deleteFrom('recoveryCode')
    .where('accountId', '=', accountId)
    .where((code) => code.or([code('createdAt', 'is', null), code('createdAt', '>=', since)])),
);

const ofAccount = statement(({ accountId }: { accountId: number }, db) =>
  db.selectFrom('recoveryCode').select('hash').where('accountId', '=', accountId),
);
