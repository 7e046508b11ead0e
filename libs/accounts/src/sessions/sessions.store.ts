import { type Database, isAmong, type Queries, statement } from '@app/persistence';
import { type Slice, sortedList } from '@app/paging';
import type { RefreshTokenRow, SessionRow } from './session.table';
import type { RefreshCount } from './refresh-limit';

/** The columns of a new session. */
export type NewSession = Omit<SessionRow, 'id' | 'turnsEventId' | keyof RefreshCount>;

/** What names a session. */
export type SessionId = Pick<SessionRow, 'id' | 'sid'>;

/** What a rotation changes in its session. */
export type Rotation = Pick<SessionRow, 'lastUsedAt' | 'expiresAt' | 'turnsEventId'> & RefreshCount;

/** Queries on sessions and their refresh tokens. */
export class SessionsStore {
  constructor(private readonly db: Database) {}

  findById(id: number, db: Queries = this.db): Promise<SessionRow | undefined> {
    return byId.first(db, { id });
  }

  /** Like {@link findById}, and no other transaction rotates its tokens or ends it until the end of this one. */
  lock(id: number, db: Queries): Promise<SessionRow | undefined> {
    return lockById.first(db, { id });
  }

  /** Oldest first. */
  list(accountId: number, slice: Slice, db: Queries = this.db): Promise<SessionRow[]> {
    return list(db, slice, { accountId, now: new Date() });
  }

  /** A session of an account by its place in the order of their use, the latest at 0. */
  findByUse(accountId: number, place: number, db: Queries): Promise<SessionId | undefined> {
    return byUse.first(db, { accountId, place, now: new Date() });
  }

  insert(session: NewSession, db: Queries): Promise<SessionRow> {
    return insert.one(db, session);
  }

  /** @returns the deleted session */
  remove(id: number, db: Queries): Promise<SessionRow | undefined> {
    return remove.first(db, { id });
  }

  /** @returns the deleted session */
  removeBySid(sid: string, db: Queries): Promise<SessionRow | undefined> {
    return removeBySid.first(db, { sid });
  }

  /** @param keptSid the session to keep, if any */
  removeAllOf(accountId: number, keptSid: string | undefined, db: Queries): Promise<SessionRow[]> {
    return keptSid === undefined
      ? removeAll.all(db, { accountId })
      : removeOthers.all(db, { accountId, keptSid });
  }

  findToken(hash: string, db: Queries = this.db): Promise<RefreshTokenRow | undefined> {
    return tokenByHash.first(db, { hash });
  }

  async insertToken(hash: string, sessionId: number, db: Queries): Promise<void> {
    await insertToken.execute(db, { hash, sessionId });
  }

  async markRotated(hash: string, turnedAt: Date, salt: string, db: Queries): Promise<void> {
    await markRotated.execute(db, { hash, turnedAt, salt });
  }

  /** Deletes the session's tokens that were rotated before a time, with the salts of their successors. */
  async deleteRotated(sessionId: number, moment: Date, db: Queries): Promise<void> {
    await deleteRotated.execute(db, { sessionId, moment });
  }

  async extend(id: number, rotation: Rotation, db: Queries): Promise<void> {
    await extend.execute(db, { id, ...rotation });
  }

  async setRefreshCount(id: number, count: RefreshCount, db: Queries): Promise<void> {
    await setRefreshCount.execute(db, { id, ...count });
  }

  /** Deletes sessions that expired before a time, at most `limit`, and returns their number. */
  deleteExpired(moment: Date, limit: number): Promise<number> {
    return deleteExpired.count(this.db, { moment, limit });
  }
}

const byId = statement(({ id }: { id: number }, db) =>
  db.selectFrom('session').selectAll().where('id', '=', id),
);

const lockById = statement(({ id }: { id: number }, db) =>
  db.selectFrom('session').selectAll().where('id', '=', id).forNoKeyUpdate(),
);

const list = sortedList(({ accountId, now }: { accountId: number; now: Date }, db) =>
  db.selectFrom('session').selectAll().where('accountId', '=', accountId).where('expiresAt', '>', now),
);

const byUse = statement(({ accountId, place, now }: { accountId: number; place: number; now: Date }, db) =>
  db
    .selectFrom('session')
    .select(['id', 'sid'])
    .where('accountId', '=', accountId)
    .where('expiresAt', '>', now)
    .orderBy('lastUsedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .offset(place),
);

const insert = statement((session: NewSession, db) =>
  db
    .insertInto('session')
    .values({
      accountId: session.accountId,
      sid: session.sid,
      tagKey: session.tagKey,
      ip: session.ip,
      createdAt: session.createdAt,
      lastUsedAt: session.lastUsedAt,
      expiresAt: session.expiresAt,
      audience: session.audience,
      device: session.device,
      amr: session.amr,
    } satisfies NewSession)
    .returningAll(),
);

const remove = statement(({ id }: { id: number }, db) =>
  db.deleteFrom('session').where('id', '=', id).returningAll(),
);

const removeBySid = statement(({ sid }: { sid: string }, db) =>
  db.deleteFrom('session').where('sid', '=', sid).returningAll(),
);

const removeAll = statement(({ accountId }: { accountId: number }, db) =>
  db.deleteFrom('session').where('accountId', '=', accountId).returningAll(),
);

const removeOthers = statement(({ accountId, keptSid }: { accountId: number; keptSid: string }, db) =>
  db.deleteFrom('session').where('accountId', '=', accountId).where('sid', '!=', keptSid).returningAll(),
);

const tokenByHash = statement(({ hash }: { hash: string }, db) =>
  db.selectFrom('refreshToken').selectAll().where('hash', '=', hash),
);

const insertToken = statement(({ hash, sessionId }: { hash: string; sessionId: number }, db) =>
  db.insertInto('refreshToken').values({ hash, sessionId, turnedAt: null, salt: null }),
);

const markRotated = statement(
  ({ hash, turnedAt, salt }: { hash: string; turnedAt: Date; salt: string }, db) =>
    db.updateTable('refreshToken').set({ turnedAt, salt }).where('hash', '=', hash),
);

const deleteRotated = statement(({ sessionId, moment }: { sessionId: number; moment: Date }, db) =>
  db.deleteFrom('refreshToken').where('sessionId', '=', sessionId).where('turnedAt', '<', moment),
);

const extend = statement((given: Rotation & { id: number }, db) =>
  db
    .updateTable('session')
    .set({
      lastUsedAt: given.lastUsedAt,
      expiresAt: given.expiresAt,
      turnsEventId: given.turnsEventId,
      refreshes: given.refreshes,
      refreshesFromAt: given.refreshesFromAt,
    } satisfies Rotation)
    .where('id', '=', given.id),
);

const setRefreshCount = statement(({ id, refreshes, refreshesFromAt }: RefreshCount & { id: number }, db) =>
  db.updateTable('session').set({ refreshes, refreshesFromAt }).where('id', '=', id),
);

const deleteExpired = statement(({ moment, limit }: { moment: Date; limit: number }, db) => {
  const expired = db.selectFrom('session').select('id').where('expiresAt', '<', moment).limit(limit);
  return db.deleteFrom('session').where((row) => isAmong(db, row.ref('id'), expired));
});
