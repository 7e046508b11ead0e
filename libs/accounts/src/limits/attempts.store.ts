import { computed, Database, isAmong, isOneOf, type Queries, statement, type Tables } from '@app/persistence';
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import { Injectable } from '@nestjs/common';
import type { AttemptRow } from './attempt.table';
import { type LimitPolicy, MAX_AHEAD_MS } from './limit-policy';

type Attempts = ExpressionBuilder<Tables, 'attempt'>;

/** The attempt counters, which all processes on the database share. */
@Injectable()
export class AttemptsStore {
  constructor(readonly db: Database) {}

  /** Returns the subjects' counters. Omits subjects without attempts. */
  read(subjects: readonly string[], db: Queries = this.db): Promise<AttemptRow[]> {
    return bySubjects.all(db, { subjects });
  }

  /**
   * Counts an attempt unless the subject is locked out. A single statement does this, so that concurrent attempts cannot exceed
   * the limit.
   *
   * @returns the new count; `undefined` if the subject is locked out and the attempt was therefore ignored
   */
  async increment(subject: string, policy: LimitPolicy, db: Queries = this.db): Promise<number | undefined> {
    const increment = increments.get(policy) ?? incrementOf(policy);
    increments.set(policy, increment);
    return (await increment.first(db, { subject, now: new Date() }))?.count;
  }

  /** Removes the subjects' counters, and returns the removed counters. */
  remove(subjects: readonly string[], db: Queries): Promise<AttemptRow[]> {
    return removeAll.all(db, { subjects });
  }

  /**
   * Deletes expired counters, at most `limit`.
   *
   * @returns the number deleted; `limit` if more may be left
   */
  deleteOlder(before: Date, limit: number, db: Queries = this.db): Promise<number> {
    return deleteOlder.count(db, { before, limit });
  }
}

const bySubjects = statement(({ subjects }: { subjects: readonly string[] }, db) =>
  db
    .selectFrom('attempt')
    .selectAll()
    .where((attempts) => isOneOf(db, attempts.ref('subject'), subjects)),
);

const removeAll = statement(({ subjects }: { subjects: readonly string[] }, db) =>
  db
    .deleteFrom('attempt')
    .where((attempts) => isOneOf(db, attempts.ref('subject'), subjects))
    .returningAll(),
);

/** The statement for each policy. */
const increments = new WeakMap<LimitPolicy, ReturnType<typeof incrementOf>>();

function incrementOf(policy: LimitPolicy) {
  return statement(({ subject, now }: { subject: string; now: Date }, db) =>
    db
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
      .returning('count'),
  );
}

const deleteOlder = statement(({ before, limit }: { before: Date; limit: number }, db) => {
  const oldest = db
    .selectFrom('attempt')
    .select('subject')
    .where('latestAt', '<', before)
    .orderBy('latestAt')
    .limit(limit);
  return db
    .deleteFrom('attempt')
    .where((row) => isAmong(db, row.ref('subject'), oldest))
    .where('latestAt', '<', before);
});

function isExpired(attempts: Attempts, policy: LimitPolicy, now: Date): Expression<SqlBool> {
  return attempts(`attempt.${policy.since}`, '<=', earlier(now, policy.forgetAfter));
}

/** Returns the SQL equivalent of `waitOf(…) === 0`. */
function mayTry(attempts: Attempts, { free, waits, since }: LimitPolicy, now: Date): Expression<SqlBool> {
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
  return computed(moment, (date) => new Date(date.getTime() - milliseconds));
}
