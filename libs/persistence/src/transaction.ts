import { setTimeout as pause } from 'node:timers/promises';
import { type Database, type Queries } from './database';
import { isWorthRetrying } from './dialects/postgres/postgres-errors';
import { requestTimeouts } from './dialects/timeouts';
import { StoreUnavailableError } from './errors';

/** Exponential backoff with full jitter: upper bounds of the first and of every delay. */
const FIRST_DELAY_MS = 5;
const MAX_DELAY_MS = 250;

/**
 * Runs `work` in a serializable transaction: commits when it resolves, rolls back when it throws. SQLite takes the write
 * lock at `BEGIN`; on PostgreSQL serialization failures and deadlocks are retried.
 *
 * Called with a transaction, it joins that one; an error must then reach the outer call.
 *
 * @param work may run several times, so its only effects are queries on its argument; a query on `db` inside it would
 *             wait for its own transaction, and time out
 * @returns what `work` returned, after the commit
 * @throws {StoreUnavailableError} if no lock or connection was obtained, or retries kept failing, for 5 s
 */
export async function inTransaction<T>(
  db: Database | Queries,
  work: (queries: Queries) => Promise<T>,
): Promise<T> {
  if (db.isTransaction) return work(db);
  const deadline = performance.now() + requestTimeouts.waitMs;
  for (let maxDelayMs = FIRST_DELAY_MS; ; maxDelayMs = Math.min(maxDelayMs * 2, MAX_DELAY_MS)) {
    try {
      return await db.transaction().setIsolationLevel('serializable').execute(work);
    } catch (error) {
      if (!isWorthRetrying(error)) throw error;
      if (performance.now() > deadline)
        throw new StoreUnavailableError('too many serialization failures', { cause: error });
    }
    await pause(Math.random() * maxDelayMs);
  }
}
