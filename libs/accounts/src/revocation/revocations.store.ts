import type { Database, Queries, RevocationRow } from '@app/persistence';
import { type Expression, sql, type SqlBool } from 'kysely';

/** A revoked session or token, or a changed account. */
export type Revocation = Pick<RevocationRow, 'kind' | 'subject'>;

/** An entry, as it is read. */
export type LoggedRevocation = Revocation & Pick<RevocationRow, 'id'>;

/** Channel of PostgreSQL notifications. */
export const revocationChannel = 'sluice_revocation';

/** Rows that are read at once; the event loop turns between two pages. */
export const pageRows = 1_000;

/** Where reading goes on. */
export interface ReadFrom {
  /** Entries that were committed since this {@link RevocationsStore.position}; all if absent. */
  readonly position?: string;
  /** Entries with a greater id. */
  readonly after: number;
}

/** The append-only log of revocations, shared by all processes on the database. */
export class RevocationsStore {
  constructor(private readonly db: Database) {}

  /** Appends entries to the current transaction. */
  async append(revocations: readonly Revocation[], db: Queries): Promise<void> {
    const createdAt = new Date();
    const rows = revocations.map(({ kind, subject }) => ({ kind, subject, createdAt }));
    await db.insertInto('revocation').values(rows).execute();
  }

  /** Notifies the other processes on PostgreSQL of what was committed. They poll as well, so it may be lost. */
  async announce(): Promise<void> {
    if (this.db.dialect === 'postgres')
      await sql`select pg_notify(${revocationChannel}, '')`.execute(this.db);
  }

  /**
   * A position in the log: every entry that is committed after this call is read from it. On PostgreSQL the oldest
   * transaction that has not ended, on SQLite the last id.
   */
  async position(): Promise<string> {
    const { rows } = await (
      this.db.dialect === 'postgres'
        ? sql<{ at: string }>`select pg_snapshot_xmin(pg_current_snapshot())::text as at`
        : sql<{ at: string }>`select cast(coalesce(max(id), 0) as text) as at from revocation`
    ).execute(this.db);
    return rows[0]?.at ?? '0';
  }

  /** The entries from a place on, by id, at most `limit`. Some may have been read before. */
  readSince(
    { position, after }: ReadFrom,
    limit = pageRows,
    db: Queries = this.db,
  ): Promise<LoggedRevocation[]> {
    const all = db
      .selectFrom('revocation')
      .select(['id', 'kind', 'subject'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit);
    return (position === undefined ? all : all.where(this.committedSince(position))).execute();
  }

  /** What a restored backup contains was written by transactions of another server, which may be numbered above its own. */
  private committedSince(position: string): Expression<SqlBool> {
    return this.db.dialect === 'postgres'
      ? sql`transaction_id >= ${position}::xid8 and transaction_id < pg_snapshot_xmax(pg_current_snapshot())`
      : sql`id > ${Number(position)}`;
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
