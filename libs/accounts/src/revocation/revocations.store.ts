import type { Database, Queries, RevocationRow } from '@app/persistence';
import { sql } from 'kysely';

/** Something that no program may go by any longer. */
export type Revocation = Pick<RevocationRow, 'kind' | 'subject'>;

/** The channel on which PostgreSQL tells of new revocations. */
export const revocationChannel = 'sluice_revocation';

/** Any number will do for PostgreSQL's lock, as long as every program of ours takes the same. */
const LOCK = 7_583_012_965;

/** The append-only log of revocations that all programs on one store share. */
export class RevocationsStore {
  constructor(private readonly db: Database) {}

  /**
   * Appends, as the last command of a transaction. On PostgreSQL numbers are given out before the commit, so a lock keeps
   * them in its order: who has read up to one number has missed none below it.
   */
  async append(revocations: readonly Revocation[], db: Queries): Promise<void> {
    const createdAt = new Date();
    if (this.db.dialect === 'postgres')
      await sql`select pg_advisory_xact_lock(${sql.lit(LOCK)}), pg_notify(${revocationChannel}, '')`.execute(
        db,
      );
    const rows = revocations.map(({ kind, subject }) => ({ kind, subject, createdAt }));
    await db.insertInto('revocation').values(rows).execute();
  }

  /** What was appended behind the number `after`, in order. */
  readSince(after: number, db: Queries = this.db): Promise<RevocationRow[]> {
    return db.selectFrom('revocation').selectAll().where('id', '>', after).orderBy('id').execute();
  }

  /** Forgets the oldest, at most `limit`, and says how many. */
  async forgetOlder(before: Date, limit: number): Promise<number> {
    const oldest = this.db.selectFrom('revocation').select('id').where('createdAt', '<', before).limit(limit);
    const { numDeletedRows } = await this.db
      .deleteFrom('revocation')
      .where('id', 'in', oldest)
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  }
}
