import { randomUUID } from 'node:crypto';
import { type Database } from '../database/database';
import { statement } from '../statements/statement';
import { type CronTimes, cronTimes } from './cron-times';
import { DatabaseClock, type StoreClock } from './database-clock';
import type { Job } from './job';

const MINUTE = 60_000;
/** The lease duration from the last renewal. After it, a different program takes over. */
const LEASE_MS = MINUTE;
const RENEW_EVERY_MS = LEASE_MS / 4;

/** The time between a run's end and the next run. With two checks a minute apart and an expired lease, it can be ten minutes. */
export const DEFAULT_EVERY_MS = 7 * MINUTE;

/** The {@link Lease} options. */
export interface LeaseOptions extends Pick<Job, 'cron' | 'every' | 'timeZone'> {
  readonly clock?: StoreClock;
}

/**
 * The lease for a periodic job, which determines the program that runs it. Each job has a row, by the database clock. The
 * running program renews the lease, which otherwise expires within a minute. After the run the lease expires when the next run
 * is due.
 *
 * It saves work without guaranteeing exclusion: after the clock was set forward, two programs may run the job at the same time.
 */
export class Lease {
  private readonly holder = randomUUID();
  private readonly db: Database;
  /** The job's name. */
  private readonly kind: string;
  private readonly every: number;
  /** The times of the job, if it has a cron expression. */
  private readonly times: CronTimes | undefined;
  private readonly clock: StoreClock;
  private renewedAt = 0;

  /** @param name of the job: programs with the same job share the lease */
  constructor(db: Database, name: string, options: LeaseOptions = {}) {
    const { cron, every = cron === undefined ? DEFAULT_EVERY_MS : 0, timeZone = 'UTC' } = options;
    if (cron !== undefined && every > 0) throw new TypeError(`the job ${name} has both cron and every`);
    this.db = db;
    this.kind = name;
    this.every = every;
    this.times = cron === undefined ? undefined : cronTimes(cron, timeZone);
    this.clock = options.clock ?? new DatabaseClock(db);
  }

  /**
   * Takes the lease if the job is due and no other program runs it.
   *
   * @returns whether the lease was taken
   * @throws StoreUnavailableError
   */
  async take(): Promise<boolean> {
    const now = await this.clock.wall(this.db);
    this.renewedAt = this.clock.monotonic();
    // No lease expires later, unless the clock was set back since.
    const [endsAt, longest] = [new Date(now + LEASE_MS), new Date(now + this.every + MINUTE)];
    const { db, kind, holder } = this;
    const taken = { kind, holder, endsAt, startedAt: new Date(now), longest };
    if (this.times === undefined) return (await take.count(db, taken)) > 0;
    const endedAt = await this.lastEnd(new Date(now));
    const time = endedAt && this.times(endedAt);
    if (!endedAt || !time || time.getTime() > now) return false;
    return (await takeOnTime.count(db, { ...taken, endedAt })) > 0;
  }

  /** Returns the end of the last run. A job that is new, or whose clock was set back, begins to wait now. */
  private async lastEnd(now: Date): Promise<Date | undefined> {
    const { db, kind, holder } = this;
    const longest = new Date(now.getTime() + MINUTE);
    const endedAt = (await lastEnd.first(db, { kind }))?.endedAt ?? undefined;
    if (endedAt && endedAt <= longest) return endedAt;
    await beginToWait.execute(db, { kind, holder, endsAt: now, endedAt: now, longest });
    return undefined;
  }

  /**
   * Renews the lease, at most every 15 seconds.
   *
   * @returns `false` if a different program has taken it over
   * @throws StoreUnavailableError
   */
  async renew(): Promise<boolean> {
    if (this.clock.monotonic() - this.renewedAt < RENEW_EVERY_MS) return true;
    const { db, kind, holder } = this;
    this.renewedAt = this.clock.monotonic();
    const endsAt = new Date((await this.clock.wall(db)) + LEASE_MS);
    return (await extend.count(db, { kind, holder, endsAt })) > 0;
  }

  /**
   * Completes a run, and stores its result. No program runs the job until it is due again. A job without a cron expression is due
   * a minute after a failure.
   *
   * @param failure the error; `null` for a success
   * @throws StoreUnavailableError
   */
  async complete(failure: string | null = null): Promise<void> {
    const { db, kind, holder } = this;
    const now = await this.clock.wall(db);
    const waitMs = failure === null || this.times ? this.every : LEASE_MS;
    const [endsAt, endedAt] = [new Date(now + waitMs), new Date(now)];
    await complete.execute(db, { kind, holder, endsAt, endedAt, failure });
  }
}

interface Held {
  readonly kind: string;
  readonly holder: string;
  readonly endsAt: Date;
}

interface Taken extends Held {
  readonly startedAt: Date;
  readonly longest: Date;
}

const take = statement(({ kind, holder, endsAt, startedAt, longest }: Taken, db) =>
  db
    .insertInto('jobLease')
    .values({ kind, holder, endsAt, startedAt })
    .onConflict((conflict) =>
      conflict
        .column('kind')
        .doUpdateSet({ holder, endsAt, startedAt })
        .where((row) =>
          row.or([row('jobLease.endsAt', '<=', startedAt), row('jobLease.endsAt', '>', longest)]),
        ),
    ),
);

/** Takes the lease unless a program has ended a run since the last end was read. */
const takeOnTime = statement(
  ({ kind, holder, endsAt, startedAt, longest, endedAt }: Taken & { endedAt: Date }, db) =>
    db
      .updateTable('jobLease')
      .set({ holder, endsAt, startedAt })
      .where('kind', '=', kind)
      .where('endedAt', '=', endedAt)
      .where((row) => row.or([row('endsAt', '<=', startedAt), row('endsAt', '>', longest)])),
);

const lastEnd = statement(({ kind }: { kind: string }, db) =>
  db.selectFrom('jobLease').select('endedAt').where('kind', '=', kind),
);

const beginToWait = statement(
  ({ kind, holder, endsAt, endedAt, longest }: Held & { endedAt: Date; longest: Date }, db) =>
    db
      .insertInto('jobLease')
      .values({ kind, holder, endsAt, endedAt })
      .onConflict((conflict) =>
        conflict
          .column('kind')
          .doUpdateSet({ endedAt })
          .where((row) =>
            row.or([row('jobLease.endedAt', 'is', null), row('jobLease.endedAt', '>', longest)]),
          ),
      ),
);

const complete = statement(
  ({ kind, holder, endsAt, endedAt, failure }: Held & { endedAt: Date; failure: string | null }, db) =>
    db
      .updateTable('jobLease')
      .set({ endsAt, endedAt, failure })
      .where('kind', '=', kind)
      .where('holder', '=', holder),
);

const extend = statement(({ kind, holder, endsAt }: Held, db) =>
  db.updateTable('jobLease').set({ endsAt }).where('kind', '=', kind).where('holder', '=', holder),
);
