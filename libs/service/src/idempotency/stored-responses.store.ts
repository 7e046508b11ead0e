import { type Database, isAmong, type Queries, statement } from '@app/persistence';
import type { IdempotencyKeyRow } from './idempotency-key.table';

/** The time for which a response is stored. */
export const keepMs = 24 * 60 * 60 * 1000;

/** Stores the responses to requests with an `Idempotency-Key`. */
export class StoredResponsesStore {
  constructor(private readonly db: Database) {}

  /** Returns the stored response, unless it is older than a day. */
  find(id: string): Promise<IdempotencyKeyRow | undefined> {
    return byId.first(this.db, { id, since: new Date(Date.now() - keepMs) });
  }

  /** Stores a response unless a response younger than a day exists, and returns whether it did. Waits for concurrent inserts. */
  async insert(response: IdempotencyKeyRow, db: Queries): Promise<boolean> {
    const since = new Date(response.createdAt.getTime() - keepMs);
    return (await insert.count(db, { ...response, since })) > 0;
  }

  /** Deletes at most `limit` responses that were stored before a date, and returns their number. */
  deleteOlder(before: Date, limit: number): Promise<number> {
    return deleteOlder.count(this.db, { before, limit });
  }
}

const byId = statement(({ id, since }: { id: string; since: Date }, db) =>
  db.selectFrom('idempotencyKey').selectAll().where('id', '=', id).where('createdAt', '>=', since),
);

const insert = statement((response: IdempotencyKeyRow & { since: Date }, db) =>
  db
    .insertInto('idempotencyKey')
    .values({
      id: response.id,
      fingerprint: response.fingerprint,
      responseStatus: response.responseStatus,
      responseHeaders: response.responseHeaders,
      responseBody: response.responseBody,
      createdAt: response.createdAt,
    } satisfies IdempotencyKeyRow)
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet((row) => ({
          fingerprint: row.ref('excluded.fingerprint'),
          responseStatus: row.ref('excluded.responseStatus'),
          responseHeaders: row.ref('excluded.responseHeaders'),
          responseBody: row.ref('excluded.responseBody'),
          createdAt: row.ref('excluded.createdAt'),
        }))
        .where('idempotencyKey.createdAt', '<', response.since),
    ),
);

const deleteOlder = statement(({ before, limit }: { before: Date; limit: number }, db) => {
  const oldest = db
    .selectFrom('idempotencyKey')
    .select('id')
    .where('createdAt', '<', before)
    .orderBy('createdAt')
    .limit(limit);
  return db.deleteFrom('idempotencyKey').where((row) => isAmong(db, row.ref('id'), oldest));
});
