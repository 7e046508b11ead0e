import type { AttemptRow, Database, Queries, Tables } from '@app/persistence';
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import { type AttemptPolicy, MAX_AHEAD_MS } from './attempt-policy';

type Attempts = ExpressionBuilder<Tables, 'attempt'>;

/** Counters of attempts, shared by all processes on the database. */
export class AttemptsStore {
  constructor(private readonly db: Database) {}

  /** The counters of some subjects; subjects without attempts are omitted. */
  read(subjects: readonly string[], db: Queries = this.db): Promise<AttemptRow[]> {
    return db.selectFrom('attempt').selectAll().where('subject', 'in', subjects).execute();
  }

  /**
   * Counts an attempt unless the subject is locked out, in one statement, so that concurrent attempts cannot exceed the
   * limit.
   *
   * @returns the new count, or `undefined` if the subject is locked out; nothing is counted then
   */
  async increment(
    subject: string,
    policy: AttemptPolicy,
    db: Queries = this.db,
  ): Promise<number | undefined> {
    const now = new Date();
    const row = await db
      .insertInto('attempt')
      .values({ subject, count: 1, startedAt: now, latestAt: now })
      .onConflict((conflict) =>
        conflict
          .column('subject')
          .doUpdateSet((attempts) => ({
            count: attempts
              .case()
              .when(isExpired(attempts, policy, now))
              .then(1)
              .else(attempts('attempt.count', '+', 1))
              .end(),
            startedAt: attempts
              .case()
              .when(isExpired(attempts, policy, now))
              .then(now)
              .else(attempts.ref('attempt.startedAt'))
              .end(),
            latestAt: now,
          }))
          .where((attempts) => mayTry(attempts, policy, now)),
      )
      .returning('count')
      .executeTakeFirst();
    return row?.count;
  }

  async reset(subjects: readonly string[], db: Queries = this.db): Promise<void> {
    await db.deleteFrom('attempt').where('subject', 'in', subjects).execute();
  }

  /**
   * Deletes expired counters, at most `limit`.
   *
   * @returns the number deleted; `limit` if there may be more
   */
  async deleteOlder(before: Date, limit: number, db: Queries = this.db): Promise<number> {
    const oldest = db
      .selectFrom('attempt')
      .select('subject')
      .where('latestAt', '<', before)
      .orderBy('latestAt')
      .limit(limit);
    const { numDeletedRows } = await db
      .deleteFrom('attempt')
      .where('subject', 'in', oldest)
      .where('latestAt', '<', before)
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  }
}

function isExpired(attempts: Attempts, policy: AttemptPolicy, now: Date): Expression<SqlBool> {
  return attempts(`attempt.${policy.since}`, '<=', earlier(now, policy.forgetAfter));
}

/** The SQL of `waitOf(…) === 0`. */
function mayTry(attempts: Attempts, { free, waits, since }: AttemptPolicy, now: Date): Expression<SqlBool> {
  const moment = `attempt.${since}` as const;
  const last = waits.length - 1;
  return attempts.or([
    attempts('attempt.count', '<', free),
    attempts(moment, '>', earlier(now, -MAX_AHEAD_MS)),
    ...waits.map((wait, step) =>
      attempts.and([
        attempts('attempt.count', step === last ? '>=' : '=', free + step),
        attempts(moment, '<=', earlier(now, wait)),
      ]),
    ),
  ]);
}

function earlier(moment: Date, milliseconds: number): Date {
  return new Date(moment.getTime() - milliseconds);
}
