import type { Channel } from 'node:diagnostics_channel';
import { accountsChannels } from '@app/accounts';
import { hashingChannels, type HashingLoad } from '@app/auth';
import { storeChannels } from '@app/persistence';
import { refusals } from '../ingress/refusals';
import { secondsBounds } from './bounds';
import type { Metrics } from './metrics';

/** What is published by the libraries, and by the ingress, becomes metrics. @returns unsubscribes */
export function measureLibraries(metrics: Metrics): () => void {
  const subscriptions = [
    ...times(metrics),
    ...hashing(metrics),
    subscribe(refusals, isText, (cause) =>
      metrics
        .counter(
          'http_refusals_total',
          'Requests and connections that were refused to protect the program.',
          { cause },
        )
        .add(),
    ),
    subscribe(accountsChannels.signIn, isText, (outcome) =>
      metrics
        .counter('sluice_sign_ins_total', 'Sign-ins with a password, by their outcome.', { outcome })
        .add(),
    ),
    ...replica(metrics),
    revocations(metrics),
    subscribe(accountsChannels.swept, isNumber, (rows) =>
      metrics
        .counter('sluice_swept_rows_total', 'Rows that were deleted after their retention period.')
        .add(rows),
    ),
  ];
  return () => subscriptions.forEach((unsubscribe) => unsubscribe());
}

function times(metrics: Metrics): readonly (() => void)[] {
  const observed = (from: Channel, name: string, help: string) => {
    const histogram = metrics.histogram(name, help, secondsBounds);
    return subscribe(from, isNumber, (ms) => histogram.observe(ms / 1000));
  };
  return [
    observed(
      storeChannels.wait,
      'sluice_store_wait_seconds',
      'Time to obtain a connection to PostgreSQL, or the turn to write on SQLite.',
    ),
    observed(storeChannels.commit, 'sluice_store_commit_seconds', 'Time of a commit, until it is durable.'),
    observed(storeChannels.sync, 'sluice_store_fsync_seconds', 'Time of an fsync of the WAL of SQLite.'),
    observed(hashingChannels.wait, 'sluice_hashing_wait_seconds', 'Time that password hashing was queued.'),
  ];
}

function replica(metrics: Metrics): readonly (() => void)[] {
  let lagBytes: number | undefined;
  metrics.gauge(
    'sluice_store_replica_lag_bytes',
    'What the replica had not applied of the log of the primary; absent without a replica, and while it is unavailable.',
    () => (Number.isFinite(lagBytes) ? lagBytes : undefined),
  );
  return [
    subscribe(storeChannels.replicaLag, isMaybeNumber, (bytes) => (lagBytes = bytes)),
    subscribe(storeChannels.list, isText, (from) =>
      metrics
        .counter(
          'sluice_store_lists_total',
          'Lists that may be read from the replica, by where they were read from.',
          { from },
        )
        .add(),
    ),
  ];
}

function hashing(metrics: Metrics): readonly (() => void)[] {
  let load: HashingLoad = { waiting: 0, running: 0 };
  metrics.gauge('sluice_hashing_waiting', 'Password hashing jobs in the queue.', () => load.waiting);
  metrics.gauge('sluice_hashing_running', 'Password hashing jobs in progress.', () => load.running);
  return [subscribe(hashingChannels.load, isLoad, (now) => (load = now))];
}

function revocations(metrics: Metrics): () => void {
  let readAt: number | undefined;
  const age = () => (readAt === undefined ? undefined : (performance.now() - readAt) / 1000);
  metrics.gauge('sluice_revocations_age_seconds', 'Time since the log of revocations was read.', age);
  return subscribe(accountsChannels.revocationsRead, isNothing, () => (readAt = performance.now()));
}

/** Messages of another type are not ours. */
function subscribe<Message>(
  to: Channel,
  isOurs: (message: unknown) => message is Message,
  take: (message: Message) => void,
): () => void {
  const listener = (message: unknown) => void (isOurs(message) && take(message));
  to.subscribe(listener);
  return () => to.unsubscribe(listener);
}

function isNumber(message: unknown): message is number {
  return typeof message === 'number';
}

function isMaybeNumber(message: unknown): message is number | undefined {
  return isNumber(message) || isNothing(message);
}

function isText(message: unknown): message is string {
  return typeof message === 'string';
}

function isNothing(message: unknown): message is undefined {
  return message === undefined;
}

function isLoad(message: unknown): message is HashingLoad {
  return typeof message === 'object' && message !== null && 'waiting' in message && 'running' in message;
}
