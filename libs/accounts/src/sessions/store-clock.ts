import type { Database, Queries } from '@app/persistence';
import { sql } from 'kysely';

/** How far a clock may lag behind our counting before we say that it was set back: what an answer takes, in milliseconds. */
const SLACK_MS = 1_000;
/** How far two good clocks drift apart, by the time that passes between two looks at them. */
const DRIFT = 1 / 1_000;
/** What counts as a leap ahead, in milliseconds. */
const LEAP_MS = 5_000;

/** What a store's clock and the counting beside it are read from; a test brings its own. */
export interface ClockSources {
  /** What the store's clock shows, in milliseconds since 1970. */
  readonly shown: (db: Queries) => Promise<number>;
  /** Milliseconds of a clock that nobody sets and that only ever goes on. */
  readonly counted: () => number;
}

/**
 * The time by which sessions live: one for all programs on a store, which is PostgreSQL's own or that of the machine on
 * which SQLite is. Such a clock may be set. Set back, we count on from where it was, so that nothing lives longer; set
 * ahead, we follow it, for time may have passed that nobody counted, and know of a moment just before how long ago it is.
 */
export class StoreClock {
  private now: number | undefined;
  private countedAt = 0;
  /** The last leap ahead: how far, and by our counting between which two looks. */
  private leap = { ms: 0, after: 0, before: 0 };

  constructor(readonly sources: ClockSources) {}

  /** What time it is; in a transaction, as the store sees it at this very moment. */
  async read(db: Queries): Promise<Date> {
    const shown = await this.sources.shown(db);
    const counted = this.sources.counted();
    const elapsed = counted - this.countedAt;
    const expected = this.now === undefined ? shown : this.now + elapsed;
    if (shown - expected > LEAP_MS)
      this.leap = { ms: shown - expected, after: this.countedAt, before: counted };
    this.now = expected - shown > SLACK_MS + elapsed * DRIFT ? expected : shown;
    this.countedAt = counted;
    return new Date(this.now);
  }

  /**
   * How long ago a moment is that a program read from this clock; in milliseconds, negative when it lies ahead. What
   * seems to lie before our last look ahead of a leap, and would not without it, was read before the leap.
   */
  since(moment: Date, now: Date): number {
    const age = now.getTime() - moment.getTime();
    const isOfBefore = age >= this.leap.ms && age > this.countedAt - this.leap.after;
    return isOfBefore ? age - this.leap.ms : age;
  }

  /** A moment that lies at least so long ago, whatever leapt since; `ms` are milliseconds. */
  ago(ms: number, now: Date): Date {
    const leapt = this.countedAt - this.leap.before <= ms ? this.leap.ms : 0;
    return new Date(now.getTime() - ms - leapt);
  }
}

/** Asks PostgreSQL for its clock; SQLite has the one of the machine. */
export function clockSources({ dialect }: Pick<Database, 'dialect'>): ClockSources {
  return {
    shown: dialect === 'postgres' ? shownByServer : async () => Date.now(),
    counted: () => performance.now(),
  };
}

async function shownByServer(db: Queries): Promise<number> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
  return rows[0].now.getTime();
}
