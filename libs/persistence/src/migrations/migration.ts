import { type Columns, type MigrationContext } from './columns';

/** One schema change. */
export interface Migration {
  /** Changes the tables. */
  readonly apply: (db: MigrationContext, columns: Columns) => Promise<void>;
  /**
   * The newest migration of the oldest program that runs on the tables after this one. It is stored with the migration, so
   * that programs without it know whether they may start. Its own name: programs without it may not start.
   */
  readonly runsSince: string;
  /** On PostgreSQL `apply` runs outside a transaction; it can be repeated after it was interrupted. */
  readonly isConcurrent?: boolean;
}

/** Migrations by name, oldest first. */
export type Migrations = Readonly<Record<string, Migration>>;
