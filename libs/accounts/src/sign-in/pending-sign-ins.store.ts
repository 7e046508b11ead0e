import { type Database, isAmong, type Queries, statement } from '@app/persistence';
import type { PendingSignInRow } from './pending-sign-in.table';

/** Queries on sign-ins that wait for a second factor. */
export class PendingSignInsStore {
  constructor(private readonly db: Database) {}

  async insert(pending: PendingSignInRow): Promise<void> {
    await insert.execute(this.db, pending);
  }

  /** One that has not expired, of this program. */
  find(tokenHash: string, audience: string): Promise<PendingSignInRow | undefined> {
    return byToken.first(this.db, { tokenHash, audience, now: new Date() });
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

interface GivenToken {
  readonly tokenHash: string;
  readonly audience: string;
  readonly now: Date;
}

const byToken = statement(({ tokenHash, audience, now }: GivenToken, db) =>
  db
    .selectFrom('pendingSignIn')
    .selectAll()
    .where('tokenHash', '=', tokenHash)
    .where('audience', '=', audience)
    .where('expiresAt', '>', now),
);

const remove = statement(({ tokenHash, now }: Omit<GivenToken, 'audience'>, db) =>
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
