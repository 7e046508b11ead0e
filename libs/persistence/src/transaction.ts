import { Database, type Queries } from './database';

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
  if (!(db instanceof Database))
    throw new TypeError('a transaction begins on the database, not on its replica');
  const { shared, retries, connecting } = db;
  if (shared !== undefined) return work(shared);
  return retries.run(connecting.timeouts.waitMs, () => db.transact(work));
}

/**
 * Like {@link inTransaction}, but all queries that `work` makes on `db` are in the transaction, wherever they are made.
 *
 * @param work may run several times; its queries are awaited before it resolves
 */
export async function inSharedTransaction<T>(db: Database, work: () => Promise<T>): Promise<T> {
  return inTransaction(db, (queries) => db.share(queries, work));
}
