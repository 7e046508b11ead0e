import { type Channel, channel } from 'node:diagnostics_channel';

/**
 * The store's diagnostics channels, published only to subscribers. Durations are in milliseconds and cover all databases in the
 * process.
 */
export const storeChannels = {
  /** The waiting time for a PostgreSQL connection, or for the turn to write on SQLite. */
  wait: channel('sluice:store:wait'),
  /** The time until a commit is durable: a transaction, or a group of writes on SQLite. */
  commit: channel('sluice:store:commit'),
  /** A SQLite WAL fsync's duration. */
  sync: channel('sluice:store:sync'),
  /** The source for a list that may come from a replica: `replica` or `primary`. */
  list: channel('sluice:store:list'),
  /** The log bytes that a replica has not applied yet; `undefined` while the number is unknown. */
  replicaLag: channel('sluice:store:replica-lag'),
  /** The number of rows that were deleted after their retention period. */
  rowsDeleted: channel('sluice:store:rows-deleted'),
  /** A {@link StatementEnd}, in the asynchronous context that executed it. */
  statement: channel('sluice:store:statement'),
};

/** A statement that has ended. */
export interface StatementEnd {
  /** The database system, as named by OpenTelemetry. */
  readonly system: 'sqlite' | 'postgresql';
  /** The SQL with placeholders for values. */
  readonly sql: string;
  /** The start time, from `performance.now()`. */
  readonly startedAt: number;
  /** The reason for the failure. */
  readonly error?: Error;
}

/** Executes a statement, and publishes its end if the channel has subscribers. */
export async function publishEnd<T>(
  statement: Pick<StatementEnd, 'system' | 'sql'>,
  execute: () => T | Promise<T>,
): Promise<T> {
  const startedAt = performance.now();
  const publish = (error?: Error) => storeChannels.statement.publish({ ...statement, startedAt, error });
  try {
    const result = await execute();
    publish();
    return result;
  } catch (error) {
    publish(error instanceof Error ? error : undefined);
    throw error;
  }
}

/** @param startedAt a `performance.now()` time */
export function publishTime(to: Channel, startedAt: number): void {
  if (to.hasSubscribers) to.publish(performance.now() - startedAt);
}
