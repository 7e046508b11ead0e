import type { AttemptRow, Database, Queries, Tables } from '@app/persistence';
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import { type AttemptPolicy, MAX_AHEAD_MS } from './attempt-policy';

type Attempts = ExpressionBuilder<Tables, 'attempt'>;

/** The shelf of attempts: counted by the store itself, so that programs that share it count as one. */
export class AttemptsStore {
  constructor(private readonly db: Database) {}

  /** What is known of some subjects, those without attempts left out. */
  read(subjects: readonly string[], db: Queries = this.db): Promise<AttemptRow[]> {
    return db.selectFrom('attempt').selectAll().where('subject', 'in', subjects).execute();
  }

  /**
   * Counts one more attempt, in one statement, unless the subject has to wait: of many at once no more pass than
   * the policy lets through.
   *
   * @returns how many there are now, or `undefined` when it has to wait; nothing is counted then
   */
  async charge(subject: string, policy: AttemptPolicy, db: Queries = this.db): Promise<number | undefined> {
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
              .when(isForgotten(attempts, policy, now))
              .then(1)
              .else(attempts('attempt.count', '+', 1))
              .end(),
            startedAt: attempts
              .case()
              .when(isForgotten(attempts, policy, now))
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

  async forget(subject: string, db: Queries = this.db): Promise<void> {
    await db.deleteFrom('attempt').where('subject', '=', subject).execute();
  }

  /**
   * Forgets what no policy remembers any more, a bounded number at a time.
   *
   * @returns how many; as many as `limit` means that there may be more
   */
  async forgetOlder(before: Date, limit: number, db: Queries = this.db): Promise<number> {
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

function isForgotten(attempts: Attempts, policy: AttemptPolicy, now: Date): Expression<SqlBool> {
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
