import { Database, isAmong, type Queries, statement } from '@app/persistence';
import { Injectable } from '@nestjs/common';
import type { PendingSignInRow } from './pending-sign-in.table';

/** Queries on sign-ins that wait for a second factor. */
@Injectable()
export class PendingSignInsStore {
  constructor(private readonly db: Database) {}

  async insert(pending: PendingSignInRow, db: Queries): Promise<void> {
    await insert.execute(db, pending);
  }

  /** Uses one: of several uses at once, in whatever programs, one succeeds. */
  async use(tokenHash: string, db: Queries): Promise<boolean> {
    return (await remove.count(db, { tokenHash, now: new Date() })) > 0;
  }

  /** Deletes those that expired before a time, at most `limit`, and returns their number. */
  deleteExpired(before: Date, limit: number): Promise<number> {
    return deleteExpired.count(this.db, { before, limit });
  }
}

const insert = statement((pending: PendingSignInRow, db) =>
  db.insertInto('pendingSignIn').values({
    tokenHash: pending.tokenHash,
    accountId: pending.accountId,
    tokenGeneration: pending.tokenGeneration,
    verified: pending.verified,
    passwordHash: pending.passwordHash,
    device: pending.device,
    audience: pending.audience,
    expiresAt: pending.expiresAt,
  } satisfies PendingSignInRow),
);

const remove = statement(({ tokenHash, now }: { tokenHash: string; now: Date }, db) =>
  db.deleteFrom('pendingSignIn').where('tokenHash', '=', tokenHash).where('expiresAt', '>', now),
);

const deleteExpired = statement(({ before, limit }: { before: Date; limit: number }, db) => {
  const expired = db
    .selectFrom('pendingSignIn')
    .select('tokenHash')
    .where('expiresAt', '<', before)
    .limit(limit);
  return db.deleteFrom('pendingSignIn').where((row) => isAmong(db, row.ref('tokenHash'), expired));
});
