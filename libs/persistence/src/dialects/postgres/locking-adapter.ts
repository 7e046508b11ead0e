import { setTimeout as pause } from 'node:timers/promises';
import { PostgresAdapter, type QueryExecutorProvider, sql } from 'kysely';
import { StoreUnavailableError } from '../../errors';
import { migrationTimeouts } from '../timeouts';

/** The advisory lock key. It is arbitrary, like Kysely's key. */
const LOCK = sql.lit(4_816_170_233);
const RETRY_EVERY_MS = 100;

/**
 * Takes the lock of Kysely's `Migrator` by polling. Kysely itself waits in a statement. A concurrent index build would wait for
 * the snapshot of that statement, so that two migrating programs would wait for each other.
 */
export class LockingAdapter extends PostgresAdapter {
  /** @throws {StoreUnavailableError} if a different program holds the lock for two minutes */
  override async acquireMigrationLock(db: QueryExecutorProvider): Promise<void> {
    const deadline = performance.now() + migrationTimeouts.waitMs;
    for (;;) {
      const { rows } = await sql<{ taken: boolean }>`select pg_try_advisory_lock(${LOCK}) as taken`.execute(
        db,
      );
      if (rows[0]?.taken) return;
      if (performance.now() > deadline) throw new StoreUnavailableError('another program is migrating it');
      await pause(RETRY_EVERY_MS);
    }
  }

  override async releaseMigrationLock(db: QueryExecutorProvider): Promise<void> {
    await sql`select pg_advisory_unlock(${LOCK})`.execute(db);
  }
}
