import { type Database, inTransaction, type Isolation, type Queries } from '@app/persistence';

/** The open transactions, by request. */
const open = new WeakMap<object, Queries>();

/** The positions of the parameters that take them, by handler. */
export const transactionPositions = new WeakMap<object, number>();

/** Returns a request's transaction, while it is open. */
export function transactionOf(request: object): Queries | undefined {
  return open.get(request);
}

/** Runs `work` in a request's transaction, and begins the transaction if necessary. */
export function inRequestTransaction<T>(
  request: object,
  db: Database,
  work: (queries: Queries) => Promise<T>,
  isolation?: Isolation,
): Promise<T> {
  const outer = open.get(request);
  if (outer !== undefined) return work(outer);
  return inTransaction(
    db,
    async (queries) => {
      open.set(request, queries);
      try {
        return await work(queries);
      } finally {
        open.delete(request);
      }
    },
    isolation,
  );
}
