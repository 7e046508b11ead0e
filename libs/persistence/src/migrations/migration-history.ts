import { type Kysely } from 'kysely';
import { type Database } from '../database/database';
import { readTableColumns } from '../database/table-columns';
import { NewerDatabaseError, PendingMigrationsError, UnreleasedDatabaseError } from '../errors';
import { columnsOf, type Ids } from '../schema/columns';
import { idRangeTable } from '../dialects/ids/time-ids';
import { type MigrationHistory, runsSinceOf } from '../schema/migration';
import { type Tables } from '../schema/tables';
import { checkTables } from './check-tables';
import { leaseTable } from './migration-lease';

export const RETRY_EVERY_MS = 100;
/** A migration that waits for a table's lock makes every later query on the table wait; so it gives up, and tries again. */
export const TABLE_LOCK_MS = 2_000;

/** The table of the migrations that have begun, on a store that does not roll tables back. */
export const stepTable = 'migration_step';

/** The table that lists the applied migrations, of every owner that shares the database, and {@link stepTable}. */
export type HistoryTable = {
  schemaMigration: { owner: string; name: string; appliedAt: Date; runsSince: string | null };
  migrationStep: { owner: string; name: string; ended: number };
};

/** The tables, and the one that lists the applied migrations. */
export type HistoryQueries = Kysely<Tables & HistoryTable>;

/** One that the database has. */
export interface AppliedMigration {
  readonly appliedAt: Date;
  /** As the program that applied it declared; `null` for every program of the owner. */
  readonly runsSince: string | null;
}

/** The applied migrations of an owner by name, oldest first. */
export type Applied = ReadonlyMap<string, AppliedMigration>;

/** A migration, and whether the database has it. */
export interface MigrationState {
  /** `api/0003-tasks`. */
  readonly name: string;
  readonly state: 'applied' | 'pending' | 'of a newer release' | 'of another program';
  readonly appliedAt?: Date;
  /** Of a pending one: no program that runs on the database now runs after it. */
  readonly isExclusive?: boolean;
  /** Of a pending one, on this database: see {@link Migration}; `undefined` if it was not measured. */
  readonly tookMs?: number;
}

/** As messages and lists have it: `api/0003-tasks`. */
export function nameOf(owner: string, name: string): string {
  return `${owner}/${name}`;
}

/** The tables of the migrations themselves. */
export const historyTables: readonly string[] = ['schema_migration', leaseTable, idRangeTable, stepTable];

/** Creates them if the database is new. */
export async function prepareHistory(
  db: HistoryQueries,
  dialect: Database['dialect'],
  ids: Ids,
): Promise<void> {
  const { integer, text, timestamp, strictTypes } = columnsOf(dialect);
  const table = db.schema
    .createTable('schema_migration')
    .ifNotExists()
    .$call(strictTypes)
    .addColumn('owner', text, (column) => column.notNull())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('applied_at', timestamp, (column) => column.notNull())
    .addColumn('runs_since', text)
    .addPrimaryKeyConstraint('schema_migration_pkey', ['owner', 'name']);
  await table.execute();
  if (ids === 'time') {
    const ranges = db.schema
      .createTable(idRangeTable)
      .ifNotExists()
      .$call(strictTypes)
      .addColumn('node', integer, (column) => column.primaryKey())
      .addColumn('ends_before', integer, (column) => column.notNull())
      .addColumn('reached_at', integer, (column) => column.notNull());
    await ranges.execute();
  }
  if (dialect === 'sqlite') return;
  const lease = db.schema
    .createTable(leaseTable)
    .ifNotExists()
    .addColumn('id', integer, (column) => column.primaryKey())
    .addColumn('holder', text, (column) => column.notNull())
    .addColumn('ends_at', timestamp, (column) => column.notNull());
  await lease.execute();
}

/** The applied migrations of each owner. */
type AppliedByOwner = ReadonlyMap<string, Applied>;

/**
 * The applied migrations by owner. Changes nothing.
 *
 * @throws {UnreleasedDatabaseError} if they have no owner
 */
export async function appliedMigrations(
  db: HistoryQueries,
  dialect: Database['dialect'],
): Promise<AppliedByOwner> {
  const columns = await readTableColumns(db, dialect, 'schema_migration');
  if (columns.length === 0) return new Map();
  if (!columns.includes('owner')) throw new UnreleasedDatabaseError();
  const rows = await db.selectFrom('schemaMigration').selectAll().orderBy('name').execute();
  const byOwner = Map.groupBy(rows, ({ owner }) => owner);
  return new Map([...byOwner].map(([owner, own]) => [owner, new Map(own.map((row) => [row.name, row]))]));
}

/**
 * Checks that programs with these histories run on the tables of a database.
 *
 * @throws {UnreleasedDatabaseError} if it has migrations, but not the first one of the first history, with which each released one begins
 * @throws {NewerDatabaseError} as {@link refuseNewer} does
 */
export function checkApplied(applied: AppliedByOwner, histories: readonly MigrationHistory[]): void {
  const [first] = histories;
  const [begin] = Object.keys(first?.migrations ?? {});
  const isBegun = begin === undefined || applied.get(first.owner)?.has(begin) === true;
  if (applied.size > 0 && !isBegun) throw new UnreleasedDatabaseError();
  for (const history of histories) refuseNewer(applied.get(history.owner), history);
}

/**
 * Checks that programs with a history run on the tables of a database.
 *
 * @param applied of its owner
 * @throws {NewerDatabaseError} with the migrations that are unknown to them and do not allow them
 */
export function refuseNewer(applied: Applied = new Map(), { owner, migrations }: MigrationHistory): void {
  const isAllowed = ({ runsSince }: AppliedMigration) => runsSince === null || runsSince in migrations;
  const refusing = [...applied].filter(([name, one]) => !(name in migrations) && !isAllowed(one));
  if (refusing.length > 0) throw new NewerDatabaseError(refusing.map(([name]) => nameOf(owner, name)));
}

/** Lists the known migrations, those of newer releases and those of other programs, without changing the database. */
export async function listMigrations(
  db: Database,
  histories: readonly MigrationHistory[],
): Promise<readonly MigrationState[]> {
  const applied = await readApplied(db);
  const known = histories.flatMap((history) =>
    statesOf(history, applied.get(history.owner) ?? new Map(), db.dialect),
  );
  const others = [...applied].filter(([owner]) => !histories.some((history) => history.owner === owner));
  return [...known, ...others.flatMap(([owner, own]) => listed(owner, own, 'of another program'))];
}

function statesOf(
  history: MigrationHistory,
  applied: Applied,
  dialect: Database['dialect'],
): readonly MigrationState[] {
  const { owner, migrations } = history;
  const unknown = [...applied].filter(([name]) => !(name in migrations));
  const isExclusive = (runsSince: string | undefined) =>
    applied.size > 0 && runsSince !== undefined && !applied.has(runsSince);
  const known = Object.keys(migrations).map((one): MigrationState => {
    const name = nameOf(owner, one);
    const appliedAt = applied.get(one)?.appliedAt;
    if (appliedAt !== undefined) return { name, state: 'applied', appliedAt };
    const tookMs = migrations[one].tookMs?.[dialect];
    return { name, state: 'pending', isExclusive: isExclusive(runsSinceOf(history, one)), tookMs };
  });
  return [...known, ...listed(owner, new Map(unknown), 'of a newer release')];
}

function listed(owner: string, applied: Applied, state: MigrationState['state']): readonly MigrationState[] {
  return [...applied].map(([name, { appliedAt }]) => ({ name: nameOf(owner, name), state, appliedAt }));
}

/**
 * Checks that a database has all migrations of some histories, and their tables, without changing it.
 *
 * @throws {PendingMigrationsError} with those that it lacks
 * @throws {SchemaDriftError} as {@link checkTables} does
 * @throws {NewerDatabaseError | UnreleasedDatabaseError} as {@link checkApplied} does
 */
export async function checkMigrations(db: Database, histories: readonly MigrationHistory[]): Promise<void> {
  const applied = await readApplied(db);
  checkApplied(applied, histories);
  const pending = histories.flatMap(({ owner, migrations }) =>
    Object.keys(migrations)
      .filter((name) => !applied.get(owner)?.has(name))
      .map((name) => nameOf(owner, name)),
  );
  if (pending.length > 0) throw new PendingMigrationsError(pending);
  await checkTables(db, histories);
}

async function readApplied(db: Database): Promise<AppliedByOwner> {
  const handle = db.forMigrations();
  try {
    return await appliedMigrations(handle.withTables<HistoryTable>(), handle.dialect);
  } finally {
    await handle.destroy();
  }
}
