import { type Channel, channel } from 'node:diagnostics_channel';

/**
 * What the store publishes while somebody subscribes: how long something took, in milliseconds, of all databases of the
 * process.
 */
export const storeChannels = {
  /** To obtain a connection to PostgreSQL, or the turn to write on SQLite. */
  wait: channel('sluice:store:wait'),
  /** A commit of a transaction, or of a group of writes on SQLite, until it is durable. */
  commit: channel('sluice:store:commit'),
  /** An fsync of the WAL of SQLite. */
  sync: channel('sluice:store:sync'),
  /** Where a list was read from that may be read from a replica: `replica` or `primary`. */
  list: channel('sluice:store:list'),
  /** Bytes of the log that a replica has not applied; `undefined` while that is not known. */
  replicaLag: channel('sluice:store:replica-lag'),
  /** The number of rows that were deleted after their retention period. */
  rowsDeleted: channel('sluice:store:rows-deleted'),
  /** A {@link StatementEnd}, in the asynchronous context that executed it. */
  statement: channel('sluice:store:statement'),
};

/** A statement that has ended. */
export interface StatementEnd {
  /** As OpenTelemetry names it. */
  readonly system: 'sqlite' | 'postgresql';
  /** Without values: its parameters are placeholders. */
  readonly sql: string;
  /** Of `performance.now()`. */
  readonly startedAt: number;
  /** Why it failed. */
  readonly error?: Error;
}

/** Executes a statement, and publishes its end while somebody subscribes. */
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

/** @param startedAt of `performance.now()` */
export function publishTime(to: Channel, startedAt: number): void {
  if (to.hasSubscribers) to.publish(performance.now() - startedAt);
}
