import { type Expression, PostgresAdapter, sql } from 'kysely';
import { type Database, type Queries } from '../database/database';
import { statement } from '../statements/statement';

/** The clocks by which programs on one database agree. */
export interface StoreClock {
  /**
   * The clock of the database, in milliseconds since 1970; in a transaction not its start, but the time of the call.
   *
   * @param read what a statement has just read as {@link storeTime}
   */
  wall(db: Queries, read?: Date | null): Promise<number>;
  /** Milliseconds of a monotonic clock of this machine. */
  monotonic(): number;
}

/** The clock of the PostgreSQL server, or of this machine for SQLite. */
export class DatabaseClock implements StoreClock {
  private readonly db: Pick<Database, 'dialect'>;

  constructor(db: Pick<Database, 'dialect'>) {
    this.db = db;
  }

  async wall(db: Queries, read?: Date | null): Promise<number> {
    if (this.db.dialect === 'sqlite') return Date.now();
    return (read ?? (await clockTimestamp.one(db, {})).now).getTime();
  }

  monotonic(): number {
    return performance.now();
  }
}

/** Selects the clock of a PostgreSQL server in some other statement; null on SQLite, whose clock is that of the machine. */
export function storeTime(db: Queries): Expression<Date | null> {
  return db.getExecutor().adapter instanceof PostgresAdapter ? sql`clock_timestamp()` : sql`null`;
}

const clockTimestamp = statement((_given: {}, db) => db.selectNoFrom(sql<Date>`clock_timestamp()`.as('now')));
