import { Database, type Queries } from './database';
import { retryConflicts } from './dialects/postgres/retry-conflicts';
import { requestTimeouts } from './dialects/timeouts';

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
  const { waitMs } = db instanceof Database ? db.connecting.timeouts : requestTimeouts;
  return retryConflicts(waitMs, () => db.transaction().setIsolationLevel('serializable').execute(work));
}
