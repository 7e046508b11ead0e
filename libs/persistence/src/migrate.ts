import { setTimeout as pause } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { type Database } from './database';
import { isLockTimeout } from './dialects/postgres/postgres-errors';
import { migrationTimeouts } from './dialects/timeouts';
import { StoreUnavailableError } from './errors';
import {
  appliedMigrations,
  type History,
  type HistoryTable,
  prepareHistory,
  refuseNewer,
} from './migration-history';
import { assertLocksExclude, takeMigrationLock } from './migration-lock';
import { columnsOf } from './migrations/columns';
import { type Migration, type Migrations } from './migrations/migration';
import { migrations as ours } from './migrations/migrations';
import { type Tables } from './tables/tables';

const RETRY_EVERY_MS = 100;
/** A migration that waits for a table's lock makes every later query on the table wait; so it gives up, and tries again. */
const TABLE_LOCK_MS = 2_000;

/**
 * Applies the pending migrations, each in a transaction of its own, under a lock: concurrent calls run one after the
 * other, and a migration that fails leaves those before it applied. Runs on a separate connection with
 * {@link Database.forMigrations}' timeouts.
 *
 * @returns the names of those that this call applied
 * @throws {NewerDatabaseError} if the database has a migration that is not in `migrations` and does not allow them
 * @throws {StoreFaultError} if the server's advisory locks do not exclude each other
 * @throws {StoreUnavailableError} if the lock, or that of a table, is not free within two minutes
 */
export async function migrate(db: Database, migrations: Migrations = ours): Promise<readonly string[]> {
  const handle = db.forMigrations();
  try {
    return await handle.connection().execute(async (connection) => {
      if (db.dialect === 'postgres') await lock(connection, handle);
      return applyPending(connection.withTables<HistoryTable>(), db.dialect, migrations);
    });
  } finally {
    await handle.destroy();
  }
}

/** Held by the connection. It is polled for: a statement that waits would block an index that is built concurrently. */
async function lock(connection: Kysely<Tables>, others: Database): Promise<void> {
  await untilDeadline(
    async () => ((await takeMigrationLock(connection)) ? true : undefined),
    'another program is migrating it',
  );
  await assertLocksExclude(others);
}

async function applyPending(
  history: History,
  dialect: Database['dialect'],
  migrations: Migrations,
): Promise<readonly string[]> {
  await history.transaction().execute((transaction) => prepareHistory(transaction, dialect));
  const applied = await appliedMigrations(history);
  refuseNewer(applied, migrations);
  const names: string[] = [];
  for (const [name, migration] of Object.entries(migrations)) {
    if (applied.has(name)) continue;
    if (await applyOne(history, dialect, name, migration)) names.push(name);
  }
  return names;
}

/** @returns whether it was still pending: on SQLite only the transaction excludes other programs */
async function applyOne(
  history: History,
  dialect: Database['dialect'],
  name: string,
  migration: Migration,
): Promise<boolean> {
  const apply = async (on: History): Promise<boolean> => {
    if ((await appliedMigrations(on)).has(name)) return false;
    await migration.apply(on, columnsOf[dialect]);
    const { runsSince } = migration;
    await on.insertInto('schemaMigration').values({ name, appliedAt: new Date(), runsSince }).execute();
    return true;
  };
  if (dialect === 'sqlite') return history.transaction().execute(apply);
  if (migration.isConcurrent) return apply(history);
  return untilDeadline(() => withLockTimeout(history, apply), 'a table to be migrated is in use');
}

/** @returns `undefined` if a table was in use */
async function withLockTimeout<T>(
  history: History,
  work: (transaction: History) => Promise<T>,
): Promise<T | undefined> {
  try {
    return await history.transaction().execute(async (transaction) => {
      await sql`set local lock_timeout = ${sql.lit(TABLE_LOCK_MS)}`.execute(transaction);
      return work(transaction);
    });
  } catch (error) {
    if (isLockTimeout(error)) return undefined;
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
