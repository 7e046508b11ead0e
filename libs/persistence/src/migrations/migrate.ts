import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Database } from '../database/database';
import { isDuplicateTable, isLockTimeout, isWorthRetrying } from '../dialects/postgres/postgres-errors';
import { migrationTimeouts } from '../dialects/timeouts';
import { StoreUnavailableError, UniqueViolationError, UnrecordedMigrationError } from '../errors';
import { type Columns, columnsOf, type Ids } from '../schema/columns';
import { type MigrationHistory, runsSinceOf } from '../schema/migration';
import {
  appliedMigrations,
  checkApplied,
  type HistoryQueries,
  type HistoryTable,
  nameOf,
  prepareHistory,
  RETRY_EVERY_MS,
  TABLE_LOCK_MS,
} from './migration-history';
import { checkTables } from './check-tables';
import { MigrationLease } from './migration-lease';
import { MigrationSteps } from './migration-steps';
import { rollsTablesBack } from './store-features';

/**
 * Applies the pending migrations, those of each history after those of the one before, each in a transaction of its own, under a lease:
 * concurrent calls run one after the other, and a migration that fails leaves those before it applied. Runs on a separate connection with
 * {@link Database.forMigrations}' timeouts. Those of other owners are ignored.
 *
 * @returns the names of those that this call applied, such as `api/0003-tasks`
 * @throws {NewerDatabaseError} if the database has a migration of these owners that is not in `histories` and does not allow them
 * @throws {UnreleasedDatabaseError} if the database has migrations of before the first release
 * @throws {SchemaDriftError} if the database lacks a table or a column that is declared
 * @throws {StoreUnavailableError} if the lease, or the lock of a table, is not free within two minutes
 */
export async function migrate(
  db: Database,
  histories: readonly MigrationHistory[],
): Promise<readonly string[]> {
  const handle = db.forMigrations();
  const { dialect, connecting } = db;
  const columns = columnsOf(dialect, connecting.ids);
  try {
    const names = await withLease(handle, connecting.ids, () =>
      handle
        .connection()
        .execute((connection) =>
          applyPending(connection.withTables<HistoryTable>(), targetOf(handle, columns), histories),
        ),
    );
    await checkTables(handle, histories);
    return names;
  } finally {
    await handle.destroy();
  }
}

/** On SQLite each migration takes the write lock, and sees then whether another program has applied it. */
async function withLease<T>(handle: Database, ids: Ids, work: () => Promise<T>): Promise<T> {
  await untilDeadline(() => prepare(handle, ids), 'another program is migrating it');
  if (handle.dialect === 'sqlite') return work();
  const lease = new MigrationLease(handle);
  // It is polled for: a statement that waits would block an index that is built concurrently.
  await untilDeadline(async () => (await lease.take()) || undefined, 'another program is migrating it');
  try {
    return await work();
  } finally {
    await lease.release();
  }
}

/** @returns `undefined` if another program has created a table meanwhile, which `if not exists` does not exclude on PostgreSQL */
async function prepare(handle: Database, ids: Ids): Promise<true | undefined> {
  try {
    await prepareHistory(handle.withTables<HistoryTable>(), handle.dialect, ids);
    return true;
  } catch (error) {
    const isRepeated =
      error instanceof UniqueViolationError || isDuplicateTable(error) || isWorthRetrying(error);
    if (isRepeated) return undefined;
    throw error;
  }
}

/** What migrations are written by. */
interface Target {
  readonly dialect: Database['dialect'];
  readonly columns: Columns;
  /** Whether a migration is one transaction; asked for once. */
  readonly isAtomic: () => Promise<boolean>;
}

function targetOf(handle: Database, columns: Columns): Target {
  const { dialect } = handle;
  let isAtomic: Promise<boolean> | undefined;
  return { dialect, columns, isAtomic: () => (isAtomic ??= rollsTablesBack(handle)) };
}

async function applyPending(
  db: HistoryQueries,
  target: Target,
  histories: readonly MigrationHistory[],
): Promise<readonly string[]> {
  const applied = await appliedMigrations(db, target.dialect);
  checkApplied(applied, histories);
  const names: string[] = [];
  for (const history of histories) {
    for (const name of Object.keys(history.migrations)) {
      if (applied.get(history.owner)?.has(name)) continue;
      const migration = nameOf(history.owner, name);
      const isApplied = await applyOne(db, target, history, name).catch((cause: unknown) => {
        throw isPresent(cause) ? new UnrecordedMigrationError(migration, cause) : cause;
      });
      if (isApplied) names.push(migration);
    }
  }
  return names;
}

/** Whether a table, an index or a column to be created exists. Of SQLite the message alone says so. */
function isPresent(error: unknown): error is Error {
  return error instanceof Error && /already exists|duplicate column name/.test(error.message);
}

/** @returns whether it was still pending: on SQLite only the transaction excludes other programs */
async function applyOne(
  db: HistoryQueries,
  { dialect, columns, isAtomic }: Target,
  history: MigrationHistory,
  name: string,
): Promise<boolean> {
  const { owner, migrations } = history;
  const migration = migrations[name];
  const list = async (on: HistoryQueries): Promise<void> => {
    const runsSince = runsSinceOf(history, name) ?? null;
    await on
      .insertInto('schemaMigration')
      .values({ owner, name, appliedAt: new Date(), runsSince })
      .execute();
  };
  const apply = async (on: HistoryQueries): Promise<boolean> => {
    if ((await appliedMigrations(on, dialect)).get(owner)?.has(name)) return false;
    await migration.apply(on, columns);
    await list(on);
    return true;
  };
  if (dialect === 'sqlite') return db.transaction().execute(apply);
  if (migration.isConcurrent) return apply(db);
  if (!(await isAtomic())) {
    await new MigrationSteps(db, owner, name).run((on) => migration.apply(on, columns), list);
    return true;
  }
  return untilDeadline(() => withLockTimeout(db, apply), 'a table to be migrated is in use');
}

/** @returns `undefined` if a table was in use, or the transaction conflicted with another one */
async function withLockTimeout<T>(
  db: HistoryQueries,
  work: (transaction: HistoryQueries) => Promise<T>,
): Promise<T | undefined> {
  try {
    return await db.transaction().execute(async (transaction) => {
      await sql`set local lock_timeout = ${sql.lit(TABLE_LOCK_MS)}`.execute(transaction);
      return work(transaction);
    });
  } catch (error) {
    if (isLockTimeout(error) || isWorthRetrying(error)) return undefined;
    throw error;
  }
}

async function untilDeadline<T>(attempt: () => Promise<T | undefined>, reason: string): Promise<T> {
  const deadline = performance.now() + migrationTimeouts.waitMs;
  while (performance.now() < deadline) {
    const result = await attempt();
    if (result !== undefined) return result;
    await pause(RETRY_EVERY_MS);
  }
  throw new StoreUnavailableError(reason);
}
