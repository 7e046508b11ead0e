import { type Expression, PostgresAdapter, sql } from 'kysely';
import { type Database } from '../database/database';
import { type Queries } from '../tenants/queries';
import { statement } from '../statements/statement';

/** The clocks by which a database's programs agree on times. */
export interface StoreClock {
  /**
   * Returns the database time in milliseconds since 1970. In a transaction it is the call time, which differs from `now()`.
   *
   * @param read a value that a statement has just read as {@link storeTime}
   */
  wall(db: Queries, read?: Date | null): Promise<number>;
  /** Returns milliseconds from this machine's monotonic clock. */
  monotonic(): number;
}

/** The PostgreSQL server's clock, or the machine clock for SQLite. */
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

/** Selects the PostgreSQL server clock within a statement. The value is null on SQLite, which uses the machine clock. */
export function storeTime(db: Queries): Expression<Date | null> {
  return db.getExecutor().adapter instanceof PostgresAdapter ? sql`clock_timestamp()` : sql`null`;
}

const clockTimestamp = statement((_given: {}, db) => db.selectNoFrom(sql<Date>`clock_timestamp()`.as('now')));
