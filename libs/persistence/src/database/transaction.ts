import { Database, type Isolation, type Queries } from './database';

/**
 * Runs `work` in a transaction: commits when it resolves, rolls back when it throws. SQLite takes the write lock at `BEGIN`.
 * On PostgreSQL each statement sees what was committed before it: whoever decides by a row and writes afterwards locks the row
 * first, by `.forNoKeyUpdate()`, or writes by a condition and looks at the count. Deadlocks are retried.
 *
 * Called with a transaction, it joins that one; an error must then reach the outer call.
 *
 * @param work may run several times, so its only effects are queries on its argument; a query on `db` inside it would
 *             wait for its own transaction, and time out
 * @param isolation `repeatable read` where the rows to lock are not known: it is retried if a row that it writes was changed since
 *                  it began. `serializable` for what no row stands for, such as that there is none; strangers may then have to be
 *                  retried because of each other, so it is not for requests. A transaction that is joined keeps its own
 * @returns what `work` returned, after the commit
 * @throws {StoreUnavailableError} if no lock or connection was obtained, or retries kept failing, for 5 s
 */
export async function inTransaction<T>(
  db: Database | Queries,
  work: (queries: Queries) => Promise<T>,
  isolation: Isolation = 'read committed',
): Promise<T> {
  if (db.isTransaction) return work(db);
  if (!(db instanceof Database))
    throw new TypeError('a transaction begins on the database, not on its replica');
  const { retries, connecting } = db;
  return retries.run(connecting.timeouts.waitMs, () => db.transact(work, isolation));
}
