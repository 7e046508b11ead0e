import { Database, isAmong, type Queries, statement } from '@app/persistence';
import { type Slice, sortedList } from '@app/paging';
import { Injectable } from '@nestjs/common';
import type { RefreshTokenRow, SessionRow } from './session.table';

/** A session's refreshes within a period, counted from the first. */
export type RefreshCount = Pick<SessionRow, 'refreshes' | 'refreshesFromAt'>;
/** A new session's columns. */
export type NewSession = Omit<SessionRow, 'id' | 'turnsEventId' | keyof RefreshCount>;

/** A session's key. */
export type SessionKey = Pick<SessionRow, 'accountId' | 'id'>;

/** A refresh token's key. */
export type TokenKey = Pick<RefreshTokenRow, 'accountId' | 'hash'>;

/** The session columns that a rotation changes. */
export type Rotation = Pick<SessionRow, 'lastUsedAt' | 'expiresAt' | 'turnsEventId'> & RefreshCount;

/** Queries on sessions and their refresh tokens. */
@Injectable()
export class SessionsStore {
  constructor(private readonly db: Database) {}

  find({ accountId, id }: SessionKey, db: Queries = this.db): Promise<SessionRow | undefined> {
    return byKey.first(db, { accountId, id });
  }

  /** Finds a session like {@link find}, and locks it against rotation and revocation until this transaction ends. */
  lock({ accountId, id }: SessionKey, db: Queries): Promise<SessionRow | undefined> {
    return lockByKey.first(db, { accountId, id });
  }

  /** Returns an account's sessions, oldest first. */
  list(accountId: number, slice: Slice, db: Queries = this.db): Promise<SessionRow[]> {
    return list(db, slice, { accountId, now: new Date() });
  }

  /** Finds an account's session by how recently it was used; the most recently used session has rank 0. */
  findByUse(
    accountId: number,
    place: number,
    db: Queries,
  ): Promise<Pick<SessionRow, 'id' | 'sid'> | undefined> {
    return byUse.first(db, { accountId, place, now: new Date() });
  }

  insert(session: NewSession, db: Queries): Promise<SessionRow> {
    return insert.one(db, session);
  }

  /** @returns the deleted session */
  remove({ accountId, id }: SessionKey, db: Queries): Promise<SessionRow | undefined> {
    return remove.first(db, { accountId, id });
  }

  /** @returns the deleted session */
  removeBySid(accountId: number, sid: string, db: Queries): Promise<SessionRow | undefined> {
    return removeBySid.first(db, { accountId, sid });
  }

  /** @param keptSid the session to keep, if any */
  removeAllOf(accountId: number, keptSid: string | undefined, db: Queries): Promise<SessionRow[]> {
    return keptSid === undefined
      ? removeAll.all(db, { accountId })
      : removeOthers.all(db, { accountId, keptSid });
  }

  findToken({ accountId, hash }: TokenKey, db: Queries = this.db): Promise<RefreshTokenRow | undefined> {
    return tokenByKey.first(db, { accountId, hash });
  }

  async insertToken(hash: string, { accountId, id }: SessionKey, db: Queries): Promise<void> {
    await insertToken.execute(db, { accountId, hash, sessionId: id });
  }

  async markRotated({ accountId, hash }: TokenKey, turnedAt: Date, salt: string, db: Queries): Promise<void> {
    await markRotated.execute(db, { accountId, hash, turnedAt, salt });
  }

  /** Deletes the session's rotated tokens, with their successors' salts. */
  async deleteRotated({ accountId, id }: SessionKey, db: Queries): Promise<void> {
    await deleteRotated.execute(db, { accountId, sessionId: id });
  }

  async extend({ accountId, id }: SessionKey, rotation: Rotation, db: Queries): Promise<void> {
    await extend.execute(db, { accountId, id, ...rotation });
  }

  async setRefreshCount({ accountId, id }: SessionKey, count: RefreshCount, db: Queries): Promise<void> {
    await setRefreshCount.execute(db, { accountId, id, ...count });
  }

  /** Deletes sessions that expired before a time, at most `limit`, and returns their number. */
  deleteExpired(moment: Date, limit: number): Promise<number> {
    return deleteExpired.count(this.db, { moment, limit });
  }
}

const byKey = statement(({ accountId, id }: SessionKey, db) =>
  db.selectFrom('session').selectAll().where('accountId', '=', accountId).where('id', '=', id),
);

const lockByKey = statement(({ accountId, id }: SessionKey, db) =>
  db
    .selectFrom('session')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .forNoKeyUpdate(),
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
      authenticatedAt: session.authenticatedAt,
    } satisfies NewSession)
    .returningAll(),
);

const remove = statement(({ accountId, id }: SessionKey, db) =>
  db.deleteFrom('session').where('accountId', '=', accountId).where('id', '=', id).returningAll(),
);

const removeBySid = statement(({ accountId, sid }: { accountId: number; sid: string }, db) =>
  db.deleteFrom('session').where('accountId', '=', accountId).where('sid', '=', sid).returningAll(),
);

const removeAll = statement(({ accountId }: { accountId: number }, db) =>
  db.deleteFrom('session').where('accountId', '=', accountId).returningAll(),
);

const removeOthers = statement(({ accountId, keptSid }: { accountId: number; keptSid: string }, db) =>
  db.deleteFrom('session').where('accountId', '=', accountId).where('sid', '!=', keptSid).returningAll(),
);

const tokenByKey = statement(({ accountId, hash }: TokenKey, db) =>
  db.selectFrom('refreshToken').selectAll().where('accountId', '=', accountId).where('hash', '=', hash),
);

const insertToken = statement(
  ({ accountId, hash, sessionId }: Omit<RefreshTokenRow, 'turnedAt' | 'salt'>, db) =>
    db.insertInto('refreshToken').values({ accountId, hash, sessionId, turnedAt: null, salt: null }),
);

const markRotated = statement(
  ({ accountId, hash, turnedAt, salt }: TokenKey & { turnedAt: Date; salt: string }, db) =>
    db
      .updateTable('refreshToken')
      .set({ turnedAt, salt })
      .where('accountId', '=', accountId)
      .where('hash', '=', hash),
);

const deleteRotated = statement(
  ({ accountId, sessionId }: Pick<RefreshTokenRow, 'accountId' | 'sessionId'>, db) =>
    db
      .deleteFrom('refreshToken')
      .where('accountId', '=', accountId)
      .where('sessionId', '=', sessionId)
      .where('turnedAt', 'is not', null),
);

const extend = statement((parameters: Rotation & SessionKey, db) =>
  db
    .updateTable('session')
    .set({
      lastUsedAt: parameters.lastUsedAt,
      expiresAt: parameters.expiresAt,
      turnsEventId: parameters.turnsEventId,
      refreshes: parameters.refreshes,
      refreshesFromAt: parameters.refreshesFromAt,
    } satisfies Rotation)
    .where('accountId', '=', parameters.accountId)
    .where('id', '=', parameters.id),
);

const setRefreshCount = statement(
  ({ accountId, id, refreshes, refreshesFromAt }: RefreshCount & SessionKey, db) =>
    db
      .updateTable('session')
      .set({ refreshes, refreshesFromAt })
      .where('accountId', '=', accountId)
      .where('id', '=', id),
);

const deleteExpired = statement(({ moment, limit }: { moment: Date; limit: number }, db) => {
  const expired = db.selectFrom('session').where('expiresAt', '<', moment).limit(limit);
  return db
    .deleteFrom('session')
    .where((row) => isAmong(db, row.ref('accountId'), expired.select('accountId')))
    .where((row) => isAmong(db, row.ref('id'), expired.select('id')));
});
