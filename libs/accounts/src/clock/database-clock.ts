import { type Database, type Queries, statement } from '@app/persistence';
import { sql } from 'kysely';

/** The clocks by which programs on one database agree. */
export interface StoreClock {
  /** The clock of the database, in milliseconds since 1970; in a transaction not its start, but the time of the call. */
  wall(db: Queries): Promise<number>;
  /** Milliseconds of a monotonic clock of this machine. */
  monotonic(): number;
}

/** The clock of the PostgreSQL server, or of this machine for SQLite. */
export class DatabaseClock implements StoreClock {
  constructor(private readonly db: Pick<Database, 'dialect'>) {}

  async wall(db: Queries): Promise<number> {
    return this.db.dialect === 'postgres' ? (await clockTimestamp.one(db, {})).now.getTime() : Date.now();
  }

  monotonic(): number {
    return performance.now();
  }
}

const clockTimestamp = statement((_given: {}, db) => db.selectNoFrom(sql<Date>`clock_timestamp()`.as('now')));
