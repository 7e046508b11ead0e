import {
  computed,
  type Database,
  isAmong,
  type Queries,
  type RevocationRow,
  statement,
} from '@app/persistence';
import { sql, type SqlBool } from 'kysely';

/** A revoked session or token, or a changed account. */
export type Revocation = Pick<RevocationRow, 'kind' | 'subject'>;

/** An entry, as it is read. */
export type LoggedRevocation = Revocation & Pick<RevocationRow, 'id'>;

/** Channel of PostgreSQL notifications. */
export const revocationChannel = 'sluice_revocation';

/** Rows of a page; other work of the event loop runs between two pages. */
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
    for (const revocation of revocations)
      await insert[this.db.dialect].execute(db, { ...revocation, createdAt });
  }

  /** Notifies the other processes on PostgreSQL of what was committed. They poll as well, so it may be lost. */
  async announce(): Promise<void> {
    if (this.db.dialect === 'postgres')
      await sql`select pg_notify(${revocationChannel}, '')`.execute(this.db);
  }

  /**
   * A position in the log: every entry that is committed after this call is read from it. On PostgreSQL the oldest
   * open transaction, on SQLite the last id.
   */
  async position(): Promise<string> {
    if (this.db.dialect === 'postgres') return (await oldestTransaction.one(this.db, {})).at;
    return String((await lastId.first(this.db, {}))?.id ?? 0);
  }

  /** The entries from a place on, by id, at most `limit`. Some may have been read before. */
  readSince(
    { position, after }: ReadFrom,
    limit = pageRows,
    db: Queries = this.db,
  ): Promise<LoggedRevocation[]> {
    if (position === undefined) return pages.all(db, { after, limit });
    return committedSince[this.db.dialect].all(db, { after, limit, position });
  }

  /** The id of the latest entry before a time; 0 if there is none. */
  async lastIdBefore(moment: Date, db: Queries = this.db): Promise<number> {
    return (await lastBefore.first(db, { moment }))?.id ?? 0;
  }

  /** Deletes old entries, at most `limit`, and returns their number. */
  deleteOlder(before: Date, limit: number): Promise<number> {
    return deleteOlder.count(this.db, { before, limit });
  }
}

interface Page {
  readonly after: number;
  readonly limit: number;
}

type Dated = Revocation & Pick<RevocationRow, 'createdAt'>;

/** Dated by the clock of the store: a program that starts leaves out what is old, whoever wrote it. */
const insert = {
  sqlite: statement(({ kind, subject, createdAt }: Dated, db) =>
    db.insertInto('revocation').values({ kind, subject, createdAt }),
  ),
  postgres: statement(({ kind, subject }: Dated, db) =>
    db.insertInto('revocation').values({ kind, subject, createdAt: sql<Date>`clock_timestamp()` }),
  ),
};

const oldestTransaction = statement((_given: {}, db) =>
  db.selectNoFrom(sql<string>`pg_snapshot_xmin(pg_current_snapshot())::text`.as('at')),
);

const lastId = statement((_given: {}, db) =>
  db.selectFrom('revocation').select('id').orderBy('id', 'desc').limit(1),
);

const pages = statement((page: Page, db) => pageOf(db, page));

const committedSince = {
  sqlite: statement((given: Page & { position: string }, db) =>
    pageOf(db, given).where('id', '>', computed(given.position, Number)),
  ),
  /** What a restored backup contains was written by transactions of another server, which may be numbered above its own. */
  postgres: statement((given: Page & { position: string }, db) =>
    pageOf(db, given)
      .where(sql<SqlBool>`transaction_id >= ${given.position}::xid8`)
      .where(sql<SqlBool>`transaction_id < pg_snapshot_xmax(pg_current_snapshot())`),
  ),
};

function pageOf(db: Queries, { after, limit }: Page) {
  return db
    .selectFrom('revocation')
    .select(['id', 'kind', 'subject'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit);
}

const lastBefore = statement(({ moment }: { moment: Date }, db) =>
  db
    .selectFrom('revocation')
    .select('id')
    .where('createdAt', '<', moment)
    .orderBy('createdAt', 'desc')
    .limit(1),
);

const deleteOlder = statement(({ before, limit }: { before: Date; limit: number }, db) => {
  const oldest = db.selectFrom('revocation').select('id').where('createdAt', '<', before).limit(limit);
  return db.deleteFrom('revocation').where((row) => isAmong(db, row.ref('id'), oldest));
});
