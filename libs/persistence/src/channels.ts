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
};

/** @param startedAt of `performance.now()` */
export function publishTime(to: Channel, startedAt: number): void {
  if (to.hasSubscribers) to.publish(performance.now() - startedAt);
}
