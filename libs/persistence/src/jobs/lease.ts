import { randomUUID } from 'node:crypto';
import { type Database } from '../database/database';
import { statement } from '../statements/statement';
import { DatabaseClock, type StoreClock } from './database-clock';

const MINUTE = 60_000;
/** The lease duration from the last renewal. After it, a different program takes over. */
const LEASE_MS = MINUTE;
const RENEW_EVERY_MS = LEASE_MS / 4;

/** The time from the end of a run to the next run. With two checks a minute apart and an expired lease, it can be ten minutes. */
export const DEFAULT_EVERY_MS = 7 * MINUTE;

/** The options of a {@link Lease}. */
export interface LeaseOptions {
  /** The time in milliseconds from the end of a run to the next run; default seven minutes. */
  readonly every?: number;
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
  private readonly clock: StoreClock;
  private renewedAt = 0;

  /** @param name of the job: programs with the same job share the lease */
  constructor(db: Database, name: string, options: LeaseOptions = {}) {
    const { every = DEFAULT_EVERY_MS, clock = new DatabaseClock(db) } = options;
    this.db = db;
    this.kind = name;
    this.every = every;
    this.clock = clock;
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
    const { kind, holder } = this;
    return (await take.count(this.db, { kind, holder, endsAt, now: new Date(now), longest })) > 0;
  }

  /**
   * Renews the lease, at most every 15 seconds.
   *
   * @returns `false` if a different program has taken it over
   * @throws StoreUnavailableError
   */
  async renew(): Promise<boolean> {
    if (this.clock.monotonic() - this.renewedAt < RENEW_EVERY_MS) return true;
    return this.extend(LEASE_MS);
  }

  /**
   * Completes a run. No program runs the job until it is due again.
   *
   * @throws StoreUnavailableError
   */
  async complete(): Promise<void> {
    await this.extend(this.every);
  }

  private async extend(ms: number): Promise<boolean> {
    const { db, kind, holder } = this;
    this.renewedAt = this.clock.monotonic();
    const endsAt = new Date((await this.clock.wall(db)) + ms);
    return (await extend.count(db, { kind, holder, endsAt })) > 0;
  }
}

interface Taken {
  readonly kind: string;
  readonly holder: string;
  readonly endsAt: Date;
}

const take = statement(({ kind, holder, endsAt, now, longest }: Taken & { now: Date; longest: Date }, db) =>
  db
    .insertInto('jobLease')
    .values({ kind, holder, endsAt })
    .onConflict((conflict) =>
      conflict
        .column('kind')
        .doUpdateSet({ holder, endsAt })
        .where((row) => row.or([row('jobLease.endsAt', '<=', now), row('jobLease.endsAt', '>', longest)])),
    ),
);

const extend = statement(({ kind, holder, endsAt }: Taken, db) =>
  db.updateTable('jobLease').set({ endsAt }).where('kind', '=', kind).where('holder', '=', holder),
);
