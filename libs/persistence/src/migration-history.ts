import { type Kysely } from 'kysely';
import { type Database } from './database';
import { NewerDatabaseError, PendingMigrationsError } from './errors';
import { columnsOf } from './migrations/columns';
import { type Migrations } from './migrations/migration';
import { migrations as ours } from './migrations/migrations';
import { type Tables } from './tables/tables';

/** The table that lists the applied migrations. */
export type HistoryTable = {
  schemaMigration: { name: string; appliedAt: Date; runsSince: string | null };
};

/** The tables, and the one that lists the applied migrations. */
export type History = Kysely<Tables & HistoryTable>;

/** One that the database has. */
export interface AppliedMigration {
  readonly appliedAt: Date;
  /** As the program that applied it declared; `null` if that one did not yet. */
  readonly runsSince: string | null;
}

/** A migration, and whether the database has it. */
export interface MigrationState {
  readonly name: string;
  readonly state: 'applied' | 'pending' | 'of a newer release';
  readonly appliedAt?: Date;
}

/** Creates the table, or adds what an older release has not created. */
export async function prepareHistory(history: History, dialect: Database['dialect']): Promise<void> {
  const { text, timestamp, strictTypes } = columnsOf[dialect];
  const columns = await historyColumns(history);
  if (columns.length === 0) {
    const table = history.schema
      .createTable('schema_migration')
      .$call(strictTypes)
      .addColumn('name', text, (column) => column.primaryKey())
      .addColumn('applied_at', timestamp, (column) => column.notNull())
      .addColumn('runs_since', text);
    await table.execute();
  } else if (!columns.includes('runs_since'))
    await history.schema.alterTable('schema_migration').addColumn('runs_since', text).execute();
}

/** The applied migrations by name, oldest first. Changes nothing. */
export async function appliedMigrations(history: History): Promise<ReadonlyMap<string, AppliedMigration>> {
  const columns = await historyColumns(history);
  if (columns.length === 0) return new Map();
  const rows = await history
    .selectFrom('schemaMigration')
    .select(['name', 'appliedAt'])
    .$if(columns.includes('runs_since'), (query) => query.select('runsSince'))
    .orderBy('name')
    .execute();
  return new Map(
    rows.map(({ name, appliedAt, runsSince }) => [name, { appliedAt, runsSince: runsSince ?? null }]),
  );
}

/**
 * Checks that programs with these migrations run on the tables of a database.
 *
 * @throws {NewerDatabaseError} with the migrations that are unknown to them and do not allow them
 */
export function refuseNewer(applied: ReadonlyMap<string, AppliedMigration>, migrations: Migrations): void {
  const refusing = [...applied].filter(
    ([name, { runsSince }]) => !(name in migrations) && (runsSince === null || !(runsSince in migrations)),
  );
  if (refusing.length > 0) throw new NewerDatabaseError(refusing.map(([name]) => name));
}

/** Lists the known migrations and those of newer releases, without changing the database. */
export async function listMigrations(
  db: Database,
  migrations: Migrations = ours,
): Promise<readonly MigrationState[]> {
  const applied = await readApplied(db);
  const unknown = [...applied.keys()].filter((name) => !(name in migrations));
  return [...Object.keys(migrations), ...unknown].map((name) => {
    const appliedAt = applied.get(name)?.appliedAt;
    if (!(name in migrations)) return { name, state: 'of a newer release', appliedAt };
    return appliedAt === undefined ? { name, state: 'pending' } : { name, state: 'applied', appliedAt };
  });
}

/**
 * Checks that a database has all migrations, without changing it.
 *
 * @throws {PendingMigrationsError} with those that it lacks
 * @throws {NewerDatabaseError} as {@link refuseNewer} does
 */
export async function checkMigrations(db: Database, migrations: Migrations = ours): Promise<void> {
  const applied = await readApplied(db);
  refuseNewer(applied, migrations);
  const pending = Object.keys(migrations).filter((name) => !applied.has(name));
  if (pending.length > 0) throw new PendingMigrationsError(pending);
}

async function readApplied(db: Database): Promise<ReadonlyMap<string, AppliedMigration>> {
  const handle = db.forMigrations();
  try {
    return await appliedMigrations(handle.withTables<HistoryTable>());
  } finally {
    await handle.destroy();
  }
}

/** As in the database; none if there is no such table. */
async function historyColumns(history: History): Promise<readonly string[]> {
  const tables = await history.introspection.getTables();
  const table = tables.find(({ name }) => name === 'schema_migration');
  return table?.columns.map(({ name }) => name) ?? [];
}
