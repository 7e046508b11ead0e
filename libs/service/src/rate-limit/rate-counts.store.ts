import { type Database, isAmong, statement } from '@app/persistence';
import type { PendingCount } from './rate-window';

/** Rows of one statement. */
const batch = 500;

/** The counts of all programs on a database. */
export class RateCountsStore {
  constructor(private readonly db: Database) {}

  /**
   * Adds counts, each to that of its subject in the same window: one statement for up to 500.
   *
   * @returns the totals by subject
   */
  async add(counts: readonly PendingCount[]): Promise<Map<string, number>> {
    const totals = new Map<string, number>();
    for (let at = 0; at < counts.length; at += batch) {
      for (const { subject, count } of await this.addSome(counts.slice(at, at + batch)))
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

  /** A program whose clock is behind does not replace the counts of a later window. */
  private addSome(counts: readonly PendingCount[]) {
    return this.db
      .insertInto('rateCount')
      .values([...counts])
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
      .returning(['subject', 'count'])
      .execute();
  }
}

const deleteOlder = statement(({ before, limit }: { before: Date; limit: number }, db) => {
  const counts = db.selectFrom('rateCount').select('subject').where('endsAt', '<', before);
  const oldest = counts.orderBy('endsAt').limit(limit);
  return db
    .deleteFrom('rateCount')
    .where((count) => isAmong(db, count.ref('subject'), oldest))
    .where('endsAt', '<', before);
});
