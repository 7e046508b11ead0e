import type { Database, Queries, RevocationRow } from '@app/persistence';
import { sql } from 'kysely';

/** A revoked session or token, or a changed account. */
export type Revocation = Pick<RevocationRow, 'kind' | 'subject'>;

/** Channel of PostgreSQL notifications. */
export const revocationChannel = 'sluice_revocation';

/** Key of the advisory lock: arbitrary, and the same in every program. */
const LOCK_KEY = 7_583_012_965;

/** Rows that are read at once; the event loop turns between two pages. */
export const pageRows = 1_000;

/** The append-only log of revocations, shared by all processes on the database. */
export class RevocationsStore {
  constructor(private readonly db: Database) {}

  /**
   * Appends entries, as the last statement of a transaction. PostgreSQL assigns ids before the commit, so a lock keeps them in
   * commit order: a reader of one id has missed none below it.
   */
  async append(revocations: readonly Revocation[], db: Queries): Promise<void> {
    const createdAt = new Date();
    if (this.db.dialect === 'postgres')
      await sql`select pg_advisory_xact_lock(${sql.lit(LOCK_KEY)}), pg_notify(${revocationChannel}, '')`.execute(
        db,
      );
    const rows = revocations.map(({ kind, subject }) => ({ kind, subject, createdAt }));
    await db.insertInto('revocation').values(rows).execute();
  }

  /** The entries after an id, in order, at most `limit`. */
  readSince(after: number, limit = pageRows, db: Queries = this.db): Promise<RevocationRow[]> {
    return db
      .selectFrom('revocation')
      .selectAll()
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit)
      .execute();
  }

  /** The id of the latest entry that was made before a moment; 0 if there is none. */
  async lastIdBefore(moment: Date, db: Queries = this.db): Promise<number> {
    const row = await db
      .selectFrom('revocation')
      .select('id')
      .where('createdAt', '<', moment)
      .orderBy('createdAt', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row?.id ?? 0;
  }

  /** Deletes old entries, at most `limit`, and returns their number. */
  async deleteOlder(before: Date, limit: number): Promise<number> {
    const oldest = this.db.selectFrom('revocation').select('id').where('createdAt', '<', before).limit(limit);
    const { numDeletedRows } = await this.db
      .deleteFrom('revocation')
      .where('id', 'in', oldest)
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  }
}
