import { setTimeout as pause } from 'node:timers/promises';
import { type Database, type Queries } from './database';
import { isWorthRetrying } from './dialects/postgres/postgres-errors';
import { requestLimits } from './dialects/time-limits';
import { StoreUnavailableError } from './errors';

/** Before the second try, in milliseconds; each further one waits up to twice as long, so that rivals fall out of step. */
const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 250;

/**
 * Does several things as one: all of them last, or, if `work` throws, none. Transactions behave as if they had run one
 * after the other: SQLite takes the write lock at once, PostgreSQL runs them serializable and starts those over that
 * cannot be put in a row.
 *
 * Called with a transaction, it joins that one; an error must then reach the outer call.
 *
 * @param work may run several times, so it does nothing but ask `queries`; asking `db` itself would wait for its own end
 * @returns what `work` returned, once it is on disk
 * @throws {StoreUnavailableError} if its turn did not come, or no try went through, within some 5 s
 */
export async function inTransaction<T>(
  db: Database | Queries,
  work: (queries: Queries) => Promise<T>,
): Promise<T> {
  if (db.isTransaction) return work(db);
  const deadline = performance.now() + requestLimits.turnMs;
  for (
    let longestPauseMs = FIRST_PAUSE_MS;
    ;
    longestPauseMs = Math.min(longestPauseMs * 2, LONGEST_PAUSE_MS)
  ) {
    try {
      return await db.transaction().setIsolationLevel('serializable').execute(work);
    } catch (error) {
      if (!isWorthRetrying(error)) throw error;
      if (performance.now() > deadline)
        throw new StoreUnavailableError('too many conflicts', { cause: error });
    }
    await pause(Math.random() * longestPauseMs);
  }
}
