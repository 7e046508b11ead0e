import { type Columns, type Dialect, type MigrationContext } from './columns';

/** A schema change. */
export interface Migration {
  /** Changes the tables. */
  readonly apply: (db: MigrationContext, columns: Columns) => Promise<void>;
  /**
   * The newest migration that a program must know to run on the tables after this migration. It is stored with the migration, so
   * that older programs can tell whether they may start. The migration's own name excludes all programs without it. Default, for
   * migrations that only add: the value from the previous migration. The first migration has no value by default, so that every
   * program of its owner may start.
   */
  readonly runsSince?: string;
  /** Whether `apply` runs outside a transaction on PostgreSQL. It can be repeated after an interruption. */
  readonly isConcurrent?: boolean;
  /** The duration in milliseconds with a million rows in each named table: `npm run bench -- migrations`. */
  readonly tookMs?: Readonly<Record<'sqlite' | 'postgres', number>>;
}

/** The migrations by name. */
export type Migrations = Readonly<Record<string, Migration>>;

/** The owner migrations that a program knows. Released migrations never change; add a new migration. */
export interface MigrationHistory {
  /** A library's or application's name. */
  readonly owner: string;
  /** The migrations, oldest first. */
  readonly migrations: Migrations;
  /** The tables after all migrations. Default: no tables, which skips the comparison with the database. */
  readonly tables?: readonly {
    readonly name: string;
    readonly secrecy: Readonly<Record<string, unknown>>;
    readonly dialect?: Dialect;
    readonly tenant?: string;
    readonly migrations?: Readonly<Record<string, unknown>>;
  }[];
}

/** Returns a migration's `runsSince`, or its default; `undefined` for every program of the owner. */
export function runsSinceOf({ migrations }: MigrationHistory, name: string): string | undefined {
  const names = Object.keys(migrations);
  const before = names.slice(0, names.indexOf(name) + 1);
  return before
    .map((earlier) => migrations[earlier].runsSince)
    .findLast((candidate) => candidate !== undefined);
}
