import { computed, Database, type Queries, statement } from '@app/persistence';
import { type NotNull, sql } from 'kysely';
import { Injectable } from '@nestjs/common';
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

/** The last entry of a program. */
export interface LogEnd extends Pick<EntryNumber, 'program' | 'settledBelow'> {
  readonly last: number;
}

/** Which entries of a program to read: in the order of their numbers, from one on. */
export interface EntriesFrom {
  readonly program: string;
  readonly from: number;
  readonly limit: number;
}

/** The append-only log of revocations, shared by all processes on the database. */
@Injectable()
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

  /** Each program that has entries, and its last one. */
  lastOfEach(): Promise<LogEnd[]> {
    return lastOfEach.all(this.db, {});
  }

  /**
   * Reads the entries after a time in the order of their times: at least `limit`, if there are so many, and those of the same millisecond
   * as the last.
   */
  async readAfter(after: Date, limit: number): Promise<{ entries: Revocation[]; last: Date }> {
    const { lastAt } = await lastOfPage.one(this.db, { after, limit });
    if (lastAt === null) return { entries: [], last: after };
    return { entries: await entriesBetween.all(this.db, { after, last: lastAt }), last: lastAt };
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
      writer
        .selectFrom('revocation')
        .whereRef('revocation.program', '=', 'writer.program')
        .select('revocation.settledBelow')
        .orderBy('revocation.number', 'desc')
        .limit(1)
        .as('settledBelow'),
    ])
    .$narrowType<{ program: NotNull; last: NotNull; settledBelow: NotNull }>(),
);

/** The time of the last entry of a page, by the index of times alone. */
const lastOfPage = statement(({ after, limit }: { after: Date; limit: number }, db) => {
  const page = db
    .selectFrom('revocation')
    .select('createdAt')
    .where('createdAt', '>', after)
    .orderBy('createdAt')
    .limit(limit);
  return db.selectFrom(page.as('page')).select(({ fn }) => fn.max<Date | null>('createdAt').as('lastAt'));
});

const entriesBetween = statement(({ after, last }: { after: Date; last: Date }, db) =>
  db
    .selectFrom('revocation')
    .select(['kind', 'subject'])
    .where('createdAt', '>', after)
    .where('createdAt', '<=', last)
    .orderBy('createdAt'),
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
