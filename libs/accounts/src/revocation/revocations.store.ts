import { computed, type Database, type Queries, statement } from '@app/persistence';
import { type NotNull, sql } from 'kysely';
import type { RevocationRow } from './revocation.table';
import type { EntryNumber } from './entry-numbers';

/** A revoked session or token, or a changed account. */
export type Revocation = Pick<RevocationRow, 'kind' | 'subject'>;

/** An entry, as a program writes it. */
export type NumberedRevocation = Revocation & EntryNumber;

/** An entry, as it is read. */
export type LoggedRevocation = Omit<NumberedRevocation, 'program'>;

/** Channel of PostgreSQL notifications. */
export const revocationChannel = 'sluice_revocation';

/** Which entries of a program to read: in the order of their numbers, from one on. */
export interface EntriesFrom {
  readonly program: string;
  readonly from: number;
  readonly limit: number;
}

/** The append-only log of revocations, shared by all processes on the database. */
export class RevocationsStore {
  constructor(private readonly db: Database) {}

  /** Appends entries to the current transaction. */
  async append(entries: readonly NumberedRevocation[], db: Queries): Promise<void> {
    const createdAt = new Date();
    for (const entry of entries) await insert[this.db.dialect].execute(db, { ...entry, createdAt });
  }

  /** Notifies the other processes on PostgreSQL of what was committed. They poll as well, so it may fail. */
  async announce(): Promise<void> {
    if (this.db.dialect === 'sqlite') return;
    await sql`select pg_notify(${revocationChannel}, '')`.execute(this.db).catch(() => undefined);
  }

  /** Each program that has entries, and the greatest number of one. */
  lastOfEach(): Promise<{ program: string; last: number }[]> {
    return lastOfEach.all(this.db, {});
  }

  /** Each program with entries since a time, and where to begin to read those. */
  firstOfEach(since: Date): Promise<{ program: string; from: number }[]> {
    return firstOfEach.all(this.db, { since });
  }

  /** Entries of one program. */
  read(entries: EntriesFrom): Promise<LoggedRevocation[]> {
    return entriesFrom.all(this.db, entries);
  }

  /** Deletes the `limit` oldest entries, and those of the same millisecond as the last, if they are old. Returns their number. */
  deleteOlder(before: Date, limit: number): Promise<number> {
    return deleteOlder.count(this.db, { before, limit });
  }
}

type Dated = NumberedRevocation & Pick<RevocationRow, 'createdAt'>;

/** Dated by the clock of the store: a program that starts leaves out what is old, whoever wrote it. */
const insert = {
  sqlite: statement(({ program, number, settledBelow, kind, subject, createdAt }: Dated, db) =>
    db.insertInto('revocation').values({ program, number, settledBelow, kind, subject, createdAt }),
  ),
  postgres: statement(({ program, number, settledBelow, kind, subject }: Dated, db) => {
    const createdAt = sql<Date>`clock_timestamp()`;
    return db.insertInto('revocation').values({ program, number, settledBelow, kind, subject, createdAt });
  }),
};

/** Goes from program to program by the primary key, so that its cost is that of the programs and not of their entries. */
const lastOfEach = statement((_given: {}, db) =>
  db
    .withRecursive('writer(program)', (each) =>
      each
        .selectFrom('revocation')
        .select(({ fn }) => fn.min<string | null>('program').as('program'))
        .unionAll((next) =>
          next
            .selectFrom('writer')
            .where('writer.program', 'is not', null)
            .select((writer) =>
              writer
                .selectFrom('revocation')
                .whereRef('revocation.program', '>', 'writer.program')
                .select(({ fn }) => fn.min<string | null>('revocation.program').as('program'))
                .as('program'),
            ),
        ),
    )
    .selectFrom('writer')
    .where('writer.program', 'is not', null)
    .select((writer) => [
      'writer.program',
      writer
        .selectFrom('revocation')
        .whereRef('revocation.program', '=', 'writer.program')
        .select(({ fn }) => fn.max<number>('revocation.number').as('last'))
        .as('last'),
    ])
    .$narrowType<{ program: NotNull; last: NotNull }>(),
);

/** Grouped by an expression, so that SQLite goes by the index of times and not through the whole table by its primary key. */
const firstOfEach = statement(({ since }: { since: Date }, db) =>
  db
    .selectFrom('revocation')
    .where('createdAt', '>=', since)
    .groupBy(sql`program || ''`)
    .select(({ fn }) => [fn.min('program').as('program'), fn.min('settledBelow').as('from')]),
);

const entriesFrom = statement(({ program, from, limit }: EntriesFrom, db) =>
  db
    .selectFrom('revocation')
    .select(['number', 'settledBelow', 'kind', 'subject'])
    .where('program', '=', program)
    .where('number', '>=', from)
    .orderBy('number')
    .limit(limit),
);

/** By the time of the last one to delete, so that the index of times is read alone. */
const deleteOlder = statement(({ before, limit }: { before: Date; limit: number }, db) => {
  const last = db
    .selectFrom('revocation')
    .select('createdAt')
    .where('createdAt', '<', before)
    .orderBy('createdAt')
    .offset(computed(limit, (rows) => rows - 1))
    .limit(1);
  return db
    .deleteFrom('revocation')
    .where('createdAt', '<', before)
    .where('createdAt', '<=', ({ fn }) => fn.coalesce(last, sql<Date>`${before}`));
});
