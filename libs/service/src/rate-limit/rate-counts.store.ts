import { type Database, givenRows, isAmong, statement } from '@app/persistence';
import { sql, type SqlBool } from 'kysely';
import type { RateCounts } from './rate-counts';
import type { PendingCount } from './rate-window';

/** The counts of all programs on a database. */
export class RateCountsStore implements RateCounts {
  constructor(private readonly db: Database) {}

  /**
   * Adds each count to the count with the same subject and window. Each window takes a single statement.
   *
   * @returns the totals by subject
   */
  async add(counts: readonly PendingCount[]): Promise<Map<string, number>> {
    const totals = new Map<string, number>();
    for (const [time, ofWindow] of Map.groupBy(counts, ({ endsAt }) => endsAt.getTime())) {
      const added = ofWindow.map(({ subject, count }) => ({ subject, count: String(count) }));
      for (const { subject, count } of await add.all(this.db, { endsAt: new Date(time), added }))
        totals.set(subject, count);
    }
    return totals;
  }

  /**
   * Deletes counts of windows that ended before, at most `limit`.
   *
   * @returns the number deleted; `limit` if there may be more
   */
  deleteOlder(before: Date, limit: number): Promise<number> {
    return deleteOlder.count(this.db, { before, limit });
  }
}

interface Added {
  readonly endsAt: Date;
  readonly added: { readonly subject: string; readonly count: string }[];
}

/**
 * Adds counts. A program with a slow clock does not replace the count for a later window. Rows are locked in key order, which
 * prevents deadlocks between programs. The `where` keeps SQLite from reading `on conflict` as a join condition.
 */
const add = statement(({ endsAt, added }: Added, db) =>
  db
    .insertInto('rateCount')
    .columns(['subject', 'count', 'endsAt'])
    .expression(
      db
        .selectFrom(givenRows(db, added, ['subject', 'count']))
        .select([
          'given.subject',
          sql<number>`cast(${sql.ref('given.count')} as integer)`.as('count'),
          sql.val(endsAt).as('endsAt'),
        ])
        .where(sql<SqlBool>`true`)
        .orderBy('given.subject'),
    )
    .onConflict((conflict) =>
      conflict
        .column('subject')
        .doUpdateSet((rows) => ({
          count: rows
            .case()
            .when('rateCount.endsAt', '=', rows.ref('excluded.endsAt'))
            .then(rows('rateCount.count', '+', rows.ref('excluded.count')))
            .else(rows.ref('excluded.count'))
            .end(),
          endsAt: rows.ref('excluded.endsAt'),
        }))
        .whereRef('rateCount.endsAt', '<=', 'excluded.endsAt'),
    )
    .returning(['subject', 'count']),
);

const deleteOlder = statement(({ before, limit }: { before: Date; limit: number }, db) => {
  const counts = db.selectFrom('rateCount').select('subject').where('endsAt', '<', before);
  const oldest = counts.orderBy('endsAt').limit(limit);
  return db
    .deleteFrom('rateCount')
    .where((count) => isAmong(db, count.ref('subject'), oldest))
    .where('endsAt', '<', before);
});
