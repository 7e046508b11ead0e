import { type Columns, type Dialect, type MigrationContext } from './columns';

/** One schema change. */
export interface Migration {
  /** Changes the tables. */
  readonly apply: (db: MigrationContext, columns: Columns) => Promise<void>;
  /**
   * The newest migration of the oldest program that runs on the tables after this one. It is stored with the migration, so
   * that programs without it know whether they may start. Its own name: programs without it may not start. Default, for one that only
   * adds: that of the migration before it; of the first one none, so that every program of its owner may start.
   */
  readonly runsSince?: string;
  /** On PostgreSQL `apply` runs outside a transaction; it can be repeated after it was interrupted. */
  readonly isConcurrent?: boolean;
  /** How long it took with a million rows in each table that it names, in milliseconds: `npm run bench -- migrations`. */
  readonly tookMs?: Readonly<Record<'sqlite' | 'postgres', number>>;
}

/** Migrations by name. */
export type Migrations = Readonly<Record<string, Migration>>;

/** The migrations of one owner of tables, which a program knows. A released one is never changed: a new one is added. */
export interface MigrationHistory {
  /** The name of a library, or of an application. */
  readonly owner: string;
  /** Oldest first. */
  readonly migrations: Migrations;
  /** The tables as the migrations leave them; default none, which are not compared with the database. */
  readonly tables?: readonly {
    readonly name: string;
    readonly secrecy: Readonly<Record<string, unknown>>;
    readonly dialect?: Dialect;
    readonly migrations?: Readonly<Record<string, unknown>>;
  }[];
}

/** `runsSince` of a migration of a history, or its default; `undefined` for every program of the owner. */
export function runsSinceOf({ migrations }: MigrationHistory, name: string): string | undefined {
  const names = Object.keys(migrations);
  const before = names.slice(0, names.indexOf(name) + 1);
  return before.map((one) => migrations[one].runsSince).findLast((one) => one !== undefined);
}
