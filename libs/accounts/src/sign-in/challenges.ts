import { createHash } from 'node:crypto';
import { type Database, isAmong, type Queries, statement } from '@app/persistence';
import type { ChallengeRow } from './challenge.table';

/** A challenge to store. */
export interface NewChallenge {
  /** The token that the client holds and sends with its response, at least 128 random bits. */
  readonly token: string;
  readonly accountId: number | null;
  /** The state that the way compares or continues with, such as a hash. */
  readonly challengeState: string;
  readonly lifetimeMs: number;
}

/** The challenges for a sign-in way in a program. Each challenge works once. Their tokens are stored as hashes. */
export class Challenges {
  /**
   * @param way      the way's folder; tokens from a different way are unknown
   * @param audience the program; tokens from a different program are unknown
   */
  constructor(
    private readonly db: Database,
    private readonly way: string,
    private readonly audience: string,
  ) {}

  async add(
    { token, accountId, challengeState, lifetimeMs }: NewChallenge,
    db: Queries = this.db,
  ): Promise<void> {
    const expiresAt = new Date(Date.now() + lifetimeMs);
    await insert.execute(db, { hash: this.hashOf(token), accountId, challengeState, expiresAt });
  }

  /**
   * Counts a try, even if several run at once.
   *
   * @returns `undefined` for a token that is unknown, used or expired, or was tried so often
   */
  countTry(token: string, maxTries: number): Promise<ChallengeRow | undefined> {
    return countTry.first(this.db, { hash: this.hashOf(token), maxTries, now: new Date() });
  }

  /** Uses a challenge. Only a single concurrent use across all programs succeeds. */
  use(token: string, db: Queries = this.db): Promise<ChallengeRow | undefined> {
    return remove.first(db, { hash: this.hashOf(token), now: new Date() });
  }

  private hashOf(token: string): string {
    return createHash('sha256')
      .update(JSON.stringify(['challenge', this.audience, this.way, token]))
      .digest('base64url');
  }
}

/** Deletes challenges that expired before a time, at most `limit`, and returns their number. */
export function deleteExpiredChallenges(db: Queries, before: Date, limit: number): Promise<number> {
  return deleteExpired.count(db, { before, limit });
}

type InsertedChallenge = Omit<ChallengeRow, 'tries'>;

const insert = statement(({ hash, accountId, challengeState, expiresAt }: InsertedChallenge, db) =>
  db.insertInto('challenge').values({ hash, accountId, challengeState, expiresAt }),
);

const countTry = statement(({ hash, maxTries, now }: { hash: string; maxTries: number; now: Date }, db) =>
  db
    .updateTable('challenge')
    .set((challenge) => ({ tries: challenge('tries', '+', 1) }))
    .where('hash', '=', hash)
    .where('expiresAt', '>', now)
    .where('tries', '<', maxTries)
    .returningAll(),
);

const remove = statement(({ hash, now }: { hash: string; now: Date }, db) =>
  db.deleteFrom('challenge').where('hash', '=', hash).where('expiresAt', '>', now).returningAll(),
);

const deleteExpired = statement(({ before, limit }: { before: Date; limit: number }, db) => {
  const expired = db.selectFrom('challenge').select('hash').where('expiresAt', '<', before).limit(limit);
  return db.deleteFrom('challenge').where((row) => isAmong(db, row.ref('hash'), expired));
});
