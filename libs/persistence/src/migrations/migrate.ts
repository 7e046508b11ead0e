import { setTimeout as pause } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { MIGRATION_LOCK_ID, type Migration, type MigrationResultSet, Migrator } from 'kysely/migration';
import { type Database } from '../database/database';
import { idRangeTable } from '../dialects/ids/time-ids';
import { isLockTimeout, isWorthRetrying } from '../dialects/postgres/postgres-errors';
import { migrationTimeouts } from '../dialects/timeouts';
import { StoreUnavailableError, UnrecordedMigrationError } from '../errors';
import { type Columns, columnsOf, type Ids, type MigrationContext } from '../schema/columns';
import { type MigrationHistory, runsSinceOf } from '../schema/migration';
import { checkTables } from './check-tables';
import { applyPolicies, policyChanges } from './row-policies';
import {
  type Applied,
  checkApplied,
  lockTable,
  nameOf,
  refuseNewer,
  requirementTable,
  type Stored,
  storedIn,
  tableOf,
} from './stored-migrations';

const RETRY_EVERY_MS = 100;
/**
 * The lock timeout for a table. A waiting migration makes every later query on the table wait, so it gives up and tries again.
 */
const TABLE_LOCK_MS = 2_000;

/**
 * Applies the pending migrations with Kysely's `Migrator` and its lock, so that concurrent calls run in sequence. The histories
 * are applied in their given order. A new history is a single transaction. In an existing history each migration is a
 * transaction, and a failing migration leaves the earlier migrations applied. Runs on a separate connection with the timeouts
 * from {@link Database.forMigrations}. Migrations by other owners are ignored.
 *
 * @returns the names of the applied migrations, such as `api/0003-tasks`
 * @throws {NewerDatabaseError} if the database has a migration of these owners that is missing in `histories` and excludes them
 * @throws {UnreleasedDatabaseError} if the database has migrations from before the first release
 * @throws {SchemaDriftError} if the database lacks a declared table or column
 * @throws {StoreUnavailableError} if the migration lock or a table lock is not free within two minutes
 */
export async function migrate(
  db: Database,
  histories: readonly MigrationHistory[],
): Promise<readonly string[]> {
  const handle = db.forMigrations();
  const { dialect, connecting } = db;
  const columns = columnsOf(dialect, connecting.ids);
  try {
    const stored = await storedIn(handle);
    checkApplied(stored.applied, histories);
    if (lacksTables(stored, connecting.ids)) await underLock(handle, () => prepare(handle, connecting.ids));
    const names: string[] = [];
    for (const history of histories)
      names.push(...(await applyPending(handle, columns, history, stored.applied.get(history.owner))));
    await checkTables(handle, histories);
    const isOn = connecting.rowPolicies === 'by statement';
    if ((await policyChanges(handle, histories, isOn)).length > 0)
      await underLock(handle, () => applyPolicies(handle, histories, isOn));
    return names;
  } finally {
    await handle.destroy();
  }
}

function lacksTables({ columns, toImport }: Stored, ids: Ids): boolean {
  const hasRanges = ids !== 'time' || columns.has(`${idRangeTable}.node`);
  return !hasRanges || toImport.length > 0 || !columns.has(`${requirementTable}.owner`);
}

/** Runs `work` under the lock that Kysely takes; on SQLite its transaction is the lock. */
function underLock(handle: Database, work: () => Promise<void>): Promise<void> {
  const options = { lockTable, lockRowId: MIGRATION_LOCK_ID };
  return handle.connection().execute(async (connection) => {
    const { adapter } = connection.getExecutor();
    await adapter.acquireMigrationLock(connection, options);
    try {
      await work();
    } finally {
      await adapter.releaseMigrationLock(connection, options);
    }
  });
}

/** Creates our tables beside Kysely's tables, and fills Kysely's tables with the migrations applied until 0.1.0. */
async function prepare(handle: Database, ids: Ids): Promise<void> {
  const { toImport, applied } = await storedIn(handle);
  const { integer, text, strictTypes } = columnsOf(handle.dialect);
  await handle.transact(async (db) => {
    await db.schema
      .createTable(requirementTable)
      .ifNotExists()
      .$call(strictTypes)
      .addColumn('owner', text, (column) => column.notNull())
      .addColumn('name', text, (column) => column.notNull())
      .addColumn('runs_since', text, (column) => column.notNull())
      .addPrimaryKeyConstraint(`${requirementTable}_pkey`, ['owner', 'name'])
      .execute();
    if (ids === 'time')
      await db.schema
        .createTable(idRangeTable)
        .ifNotExists()
        .$call(strictTypes)
        .addColumn('node', integer, (column) => column.primaryKey())
        .addColumn('ends_before', integer, (column) => column.notNull())
        .addColumn('reached_at', integer, (column) => column.notNull())
        .execute();
    for (const owner of toImport) await importApplied(db, owner, applied.get(owner) ?? new Map());
  }, 'read committed');
}

/** Lists migrations as Kysely does. */
async function importApplied(db: MigrationContext, owner: string, applied: Applied): Promise<void> {
  const table = tableOf(owner);
  await db.schema
    .createTable(table)
    .ifNotExists()
    .addColumn('name', 'varchar(255)', (column) => column.notNull().primaryKey())
    .addColumn('timestamp', 'varchar(255)', (column) => column.notNull())
    .execute();
  for (const [name, { appliedAt, runsSince }] of applied) {
    await sql`
      insert into ${sql.table(table)} (name, timestamp) values (${name}, ${appliedAt.toISOString()})
      on conflict do nothing`.execute(db);
    if (runsSince !== null) await recordRequirement(db, { owner, name, runsSince });
  }
}

async function recordRequirement(
  db: MigrationContext,
  row: Readonly<Record<'owner' | 'name' | 'runsSince', string>>,
): Promise<void> {
  const { owner, name, runsSince } = row;
  await sql`
    insert into ${sql.table(requirementTable)} (owner, name, runs_since) values (${owner}, ${name}, ${runsSince})
    on conflict do nothing`.execute(db);
}

async function applyPending(
  handle: Database,
  columns: Columns,
  history: MigrationHistory,
  applied: Applied = new Map(),
): Promise<readonly string[]> {
  const { owner, migrations } = history;
  const pending = Object.keys(migrations).filter((name) => !applied.has(name));
  if (pending.length === 0) return [];
  const isNew = applied.size === 0;
  const migrator = new Migrator({
    db: handle,
    provider: {
      getMigrations: () =>
        // Nobody uses the tables of a history that begins: its indexes are built in its transaction.
        migrationsOf(handle, isNew ? { ...columns, concurrently: sql`` } : columns, history),
    },
    migrationTableName: tableOf(owner),
    migrationLockTableName: lockTable,
    allowUnorderedMigrations: true,
  });
  if (isNew) return untilFree(owner, () => migrator.migrateToLatest());
  const names: string[] = [];
  for (const name of pending) {
    const disableTransactions = handle.dialect === 'postgres' && migrations[name].isConcurrent === true;
    names.push(...(await untilFree(owner, () => migrator.migrateTo(name, { disableTransactions }))));
  }
  return names;
}

/** Returns the migrations for Kysely, under the lock. Kysely refuses a database with migrations that are not passed to it. */
async function migrationsOf(
  handle: Database,
  columns: Columns,
  history: MigrationHistory,
): Promise<Record<string, Migration>> {
  const { owner, migrations } = history;
  const applied = (await storedIn(handle)).applied.get(owner) ?? new Map();
  refuseNewer(applied, history);
  const entries = Object.entries(migrations).map(([name, { apply }]): [string, Migration] => {
    const up = async (db: MigrationContext & Pick<Kysely<unknown>, 'isTransaction'>): Promise<void> => {
      if (db.isTransaction && columns.dialect === 'postgres')
        await sql`set local lock_timeout = ${sql.lit(TABLE_LOCK_MS)}`.execute(db);
      await apply(db, columns);
      const runsSince = runsSinceOf(history, name);
      if (runsSince !== undefined) await recordRequirement(db, { owner, name, runsSince });
    };
    return [name, { up }];
  });
  const newer = [...applied.keys()].map((name): [string, Migration] => [name, { up: async () => {} }]);
  return Object.fromEntries([...newer, ...entries]);
}

/**
 * @returns the names of the applied migrations. Repeats for two minutes a migration that conflicts or waits for a table in use.
 */
async function untilFree(
  owner: string,
  attempt: () => Promise<MigrationResultSet>,
): Promise<readonly string[]> {
  const deadline = performance.now() + migrationTimeouts.waitMs;
  for (;;) {
    const { error, results = [] } = await attempt();
    const named = (status: 'Success' | 'Error') =>
      results
        .filter((result) => result.status === status)
        .map(({ migrationName }) => nameOf(owner, migrationName));
    if (error === undefined) return named('Success');
    const [failed] = named('Error');
    if (failed !== undefined && isPresent(error))
      throw new UnrecordedMigrationError(failed, tableOf(owner), error);
    if (!isLockTimeout(error) && !isWorthRetrying(error)) throw error;
    if (performance.now() > deadline) throw new StoreUnavailableError('a table to be migrated is in use');
    await pause(RETRY_EVERY_MS);
  }
}

/** Whether a table, an index or a column to be created already exists. On SQLite only the message tells. */
function isPresent(error: unknown): error is Error {
  return error instanceof Error && /already exists|duplicate column name/.test(error.message);
}
