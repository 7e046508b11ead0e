import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';

/**
 * Wraps `node:sqlite` in the interface of better-sqlite3, as far as Drizzle and TypeORM use it. better-sqlite3 would have to be
 * compiled, and with the wrapper all programs use the same SQLite.
 */
export class BetterSqlite3 {
  private readonly database: DatabaseSync;

  constructor(file: string) {
    this.database = new DatabaseSync(file);
  }

  prepare(sql: string): Statement {
    return new Statement(this.database.prepare(sql));
  }

  exec(sql: string): void {
    this.database.exec(sql);
  }

  pragma(setting: string): unknown[] {
    return this.database.prepare(`pragma ${setting}`).all();
  }

  /** Returns `work` in a transaction, by the way it begins. */
  transaction<Context, Result>(work: (context: Context) => Result) {
    const begun = (how: string) => (context: Context) => this.inTransaction(how, () => work(context));
    return { deferred: begun('deferred'), immediate: begun('immediate') };
  }

  close(): void {
    this.database.close();
  }

  private inTransaction<Result>(how: string, work: () => Result): Result {
    this.database.exec(`begin ${how}`);
    try {
      const result = work();
      this.database.exec('commit');
      return result;
    } catch (error) {
      this.database.exec('rollback');
      throw error;
    }
  }
}

class Statement {
  private readonly statement: StatementSync;
  /** Whether the statement returns rows. */
  readonly reader: boolean;

  constructor(statement: StatementSync) {
    this.statement = statement;
    this.reader = statement.columns().length > 0;
  }

  /** Returns rows as arrays from now on. */
  raw(): this {
    this.statement.setReturnArrays(true);
    return this;
  }

  all(...values: SQLInputValue[]): unknown[] {
    return this.statement.all(...values);
  }

  get(...values: SQLInputValue[]): unknown {
    return this.statement.get(...values);
  }

  run(...values: SQLInputValue[]): unknown {
    return this.statement.run(...values);
  }
}
