import { bound, type Queries, scopeOf, unboundOf } from '../tenants/queries';
import { Database, type Isolation } from './database';

/**
 * Runs `work` in a transaction. It commits when `work` resolves and rolls back when it throws. SQLite takes the write lock at
 * `BEGIN`. On PostgreSQL each statement sees everything committed before it. To decide by a row and then write, lock the row
 * first with `.forNoKeyUpdate()`, or write with a condition and check the row count. Deadlocks are retried.
 *
 * With a handle for a tenant, `work` gets such a handle. Called with a transaction, it joins that transaction. An error must then reach the outer call.
 *
 * @param work may run several times, so its only effects are queries on its argument; a query on `db` inside it would wait for
 *   its own transaction and time out
 * @param isolation `repeatable read` if the rows to lock are unknown: the transaction is retried if a row that it writes changed
 *   after it began. `serializable` for conditions that no row represents, such as the absence of a row; unrelated transactions may
 *   then force retries on each other, so keep it out of requests. A joined transaction keeps its own level
 * @returns the `work` result, after the commit
 * @throws {StoreUnavailableError} if no lock or connection was obtained, or retries kept failing, for 5 s
 */
export async function inTransaction<T>(
  db: Database | Queries,
  work: (queries: Queries) => Promise<T>,
  isolation: Isolation = 'read committed',
): Promise<T> {
  if (db.isTransaction) return work(db);
  const database = unboundOf(db);
  if (!(database instanceof Database))
    throw new TypeError('a transaction begins on the database, not on its replica');
  const { retries, connecting } = database;
  const { tenantExceptions, timeouts } = connecting;
  const bind = (queries: Queries) =>
    database === db ? queries : bound(queries, scopeOf(db.getExecutor()), tenantExceptions);
  return retries.run(timeouts.waitMs, () => database.transact((queries) => work(bind(queries)), isolation));
}
