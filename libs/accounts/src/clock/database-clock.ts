import { type Database, type Queries, statement } from '@app/persistence';
import { sql } from 'kysely';

/** Latency of reading the clock: a smaller lag does not count as set back. */
const LATENCY_MS = 1_000;
/** Permitted drift, relative to the elapsed time. */
const DRIFT = 1 / 1_000;
/** A larger step forward counts as a jump. */
const JUMP_MS = 5_000;

/** The clocks that a {@link DatabaseClock} reads. */
export interface ClockSources {
  /** The clock of the database, in milliseconds since 1970. */
  readonly wall: (db: Queries) => Promise<number>;
  /** Milliseconds of a monotonic clock. */
  readonly monotonic: () => number;
}

/**
 * The time of sessions, shared by all processes on a database: the clock of the PostgreSQL server, or of the machine with
 * the SQLite file. While that clock is set back, the time continues by the monotonic clock, so that nothing expires later. A
 * jump forward is followed, since the machine may have been suspended, and is subtracted from the age of times before it.
 */
export class DatabaseClock {
  private now: number | undefined;
  private readAt = 0;
  /** The last jump forward, and the monotonic times of the reads before and after it. */
  private jump = { ms: 0, after: 0, before: 0 };

  constructor(readonly sources: ClockSources) {}

  /** The current time; in a transaction not its start, but the time of the call. */
  async read(db: Queries): Promise<Date> {
    const wall = await this.sources.wall(db);
    const monotonic = this.sources.monotonic();
    const elapsed = monotonic - this.readAt;
    const expected = this.now === undefined ? wall : this.now + elapsed;
    if (wall - expected > JUMP_MS) this.jump = { ms: wall - expected, after: this.readAt, before: monotonic };
    this.now = expected - wall > LATENCY_MS + elapsed * DRIFT ? expected : wall;
    this.readAt = monotonic;
    return new Date(this.now);
  }

  /**
   * The age of a time that was read from this clock, in milliseconds; negative in the future. A time that appears older than
   * the last read before a jump was read before the jump, whose length is subtracted.
   */
  since(time: Date, now: Date): number {
    const age = now.getTime() - time.getTime();
    const isBeforeJump = age >= this.jump.ms && age > this.readAt - this.jump.after;
    return isBeforeJump ? age - this.jump.ms : age;
  }
}

/** The clock of the PostgreSQL server, or of this machine for SQLite. */
export function clockSources({ dialect }: Pick<Database, 'dialect'>): ClockSources {
  return {
    wall: dialect === 'postgres' ? serverTime : async () => Date.now(),
    monotonic: () => performance.now(),
  };
}

async function serverTime(db: Queries): Promise<number> {
  return (await clockTimestamp.one(db, {})).now.getTime();
}

const clockTimestamp = statement((_given: {}, db) => db.selectNoFrom(sql<Date>`clock_timestamp()`.as('now')));
