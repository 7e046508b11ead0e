import type { Database, Queries, RefreshTokenRow, SessionRow } from '@app/persistence';
import type { Slice } from '@app/paging';
import type { RefreshCount } from './refresh-limit';

/** The columns of a new session. */
export type NewSession = Omit<SessionRow, 'id' | 'turnsEventId' | keyof RefreshCount>;

/** What a rotation changes in its session. */
export type Rotation = Pick<SessionRow, 'lastUsedAt' | 'expiresAt' | 'turnsEventId'>;

/** Queries on sessions and their refresh tokens. */
export class SessionsStore {
  constructor(private readonly db: Database) {}

  findById(id: number, db: Queries = this.db): Promise<SessionRow | undefined> {
    return db.selectFrom('session').selectAll().where('id', '=', id).executeTakeFirst();
  }

  /** Oldest first. */
  list(accountId: number, { limit, offset, after }: Slice, db: Queries = this.db): Promise<SessionRow[]> {
    const rows = db
      .selectFrom('session')
      .selectAll()
      .where('accountId', '=', accountId)
      .where('expiresAt', '>', new Date())
      .orderBy('id')
      .limit(limit);
    return (after === undefined ? rows.offset(offset) : rows.where('id', '>', after)).execute();
  }

  insert(session: NewSession, db: Queries): Promise<SessionRow> {
    return db.insertInto('session').values(session).returningAll().executeTakeFirstOrThrow();
  }

  /** @returns the deleted session */
  remove(id: number, db: Queries): Promise<SessionRow | undefined> {
    return db.deleteFrom('session').where('id', '=', id).returningAll().executeTakeFirst();
  }

  /** @returns the deleted session */
  removeBySid(sid: string, db: Queries): Promise<SessionRow | undefined> {
    return db.deleteFrom('session').where('sid', '=', sid).returningAll().executeTakeFirst();
  }

  /** @param keptSid the session to keep, if any */
  removeAllOf(accountId: number, keptSid: string | undefined, db: Queries): Promise<SessionRow[]> {
    const all = db.deleteFrom('session').where('accountId', '=', accountId).returningAll();
    return (keptSid === undefined ? all : all.where('sid', '!=', keptSid)).execute();
  }

  findToken(hash: string, db: Queries = this.db): Promise<RefreshTokenRow | undefined> {
    return db.selectFrom('refreshToken').selectAll().where('hash', '=', hash).executeTakeFirst();
  }

  async insertToken(hash: string, sessionId: number, db: Queries): Promise<void> {
    await db.insertInto('refreshToken').values({ hash, sessionId, turnedAt: null, salt: null }).execute();
  }

  async markRotated(hash: string, turnedAt: Date, salt: string, db: Queries): Promise<void> {
    await db.updateTable('refreshToken').set({ turnedAt, salt }).where('hash', '=', hash).execute();
  }

  /** Deletes the session's tokens that were rotated before a time, with the salts of their successors. */
  async deleteRotated(sessionId: number, moment: Date, db: Queries): Promise<void> {
    await db
      .deleteFrom('refreshToken')
      .where('sessionId', '=', sessionId)
      .where('turnedAt', '<', moment)
      .execute();
  }

  async extend(id: number, rotation: Rotation, db: Queries): Promise<void> {
    await db.updateTable('session').set(rotation).where('id', '=', id).execute();
  }

  async setRefreshCount(id: number, count: RefreshCount, db: Queries): Promise<void> {
    await db.updateTable('session').set(count).where('id', '=', id).execute();
  }

  /** Deletes sessions that expired before a time, at most `limit`, and returns their number. */
  async deleteExpired(moment: Date, limit: number): Promise<number> {
    const expired = this.db.selectFrom('session').select('id').where('expiresAt', '<', moment).limit(limit);
    const { numDeletedRows } = await this.db
      .deleteFrom('session')
      .where('id', 'in', expired)
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  }
}
