import { Database, type Queries } from './database';
import { ConflictRetries } from './dialects/postgres/retry-conflicts';
import { requestTimeouts } from './dialects/timeouts';

/**
 * Runs `work` in a serializable transaction: commits when it resolves, rolls back when it throws. SQLite takes the write
 * lock at `BEGIN`; on PostgreSQL serialization failures and deadlocks are retried.
 *
 * Called with a transaction, or in {@link inSharedTransaction}, it joins that one; an error must then reach the outer call.
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
  const shared = db instanceof Database ? db.shared : undefined;
  if (shared !== undefined) return work(shared);
  const { waitMs } = db instanceof Database ? db.connecting.timeouts : requestTimeouts;
  const retries = db instanceof Database ? db.retries : new ConflictRetries();
  return retries.run(waitMs, () => db.transaction().setIsolationLevel('serializable').execute(work));
}

/**
 * Like {@link inTransaction}, but all queries that `work` makes on `db` are in the transaction, wherever they are made.
 *
 * @param work may run several times; its queries are awaited before it resolves
 */
export async function inSharedTransaction<T>(db: Database, work: () => Promise<T>): Promise<T> {
  return inTransaction(db, (queries) => db.share(queries, work));
}
