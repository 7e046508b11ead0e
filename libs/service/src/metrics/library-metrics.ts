import type { Channel } from 'node:diagnostics_channel';
import { accountsChannels, type SignInOutcome } from '@app/accounts';
import { hashingChannels, type HashingLoad } from '@app/auth';
import { mailChannels, type MailOutcome } from '@app/mail';
import { storeChannels } from '@app/persistence';
import { backupChannels, type ScheduledTo } from '../backup/channels';
import { OverloadedError } from '../http/errors';
import { refusals } from '../overload/refusals';
import { rateLimitChannels } from '../rate-limit/channels';
import { secondsBounds } from './histogram';
import type { Metrics } from './metrics';

/** The outcomes and causes that alerts expect. They are counted from 0, as a first number has no rate. */
const outcomes: readonly SignInOutcome[] = ['succeeded', 'wrong-credentials', 'disabled', 'refused'];
const mailOutcomes: readonly MailOutcome[] = ['deferred', 'rejected'];
const causes = ['StoreUnavailableError', 'StoreFaultError', OverloadedError.name];

/** What is published by the libraries, and by the ingress, becomes metrics. @returns unsubscribes */
export function measureLibraries(metrics: Metrics): () => void {
  const refused = (cause: string) =>
    metrics.counter(
      'http_refusals_total',
      'Requests and connections that were refused to protect the program.',
      { cause },
    );
  const signIns = (outcome: string) =>
    metrics.counter('sluice_sign_ins_total', 'Sign-ins with a password, by their outcome.', { outcome });
  const mails = (outcome: string) =>
    metrics.counter(
      'sluice_mail_failures_total',
      'Attempts to send a mail that failed: deferred until the next attempt, or rejected by the server.',
      { outcome },
    );
  mailOutcomes.forEach(mails);
  causes.forEach(refused);
  outcomes.forEach(signIns);
  const subscriptions = [
    ...times(metrics),
    ...hashing(metrics),
    subscribe(refusals, isText, (cause) => refused(cause).add()),
    subscribe(mailChannels.failed, isText, (outcome) => mails(outcome).add()),
    subscribe(accountsChannels.signIn, isText, (outcome) => signIns(outcome).add()),
    ...replica(metrics),
    revocations(metrics),
    rateLimits(metrics),
    ...backups(metrics),
    subscribe(accountsChannels.rowsDeleted, isNumber, (rows) =>
      metrics
        .counter('sluice_expired_rows_deleted_total', 'Rows that were deleted after their retention period.')
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

/**
 * Absent without a schedule. Programs on one store have the same destination, and one of them makes its backups: the newest moment and
 * the shortest lag of a destination are those of the store.
 */
function backups(metrics: Metrics): readonly (() => void)[] {
  let madeAt: Date | undefined;
  let coveredAt: Date | undefined;
  const failures = metrics.counter(
    'sluice_backup_failures_total',
    'Backups that failed, and attempts to copy changes.',
  );
  return [
    subscribe(backupChannels.scheduled, isScheduledTo, ({ to, isContinuous }) => {
      const startedMs = Date.now();
      metrics.gauge(
        'sluice_backup_timestamp_seconds',
        'The moment of the newest backup that this program has seen; 0 before the first.',
        () => (madeAt?.getTime() ?? 0) / 1000,
        { to },
      );
      if (!isContinuous) return;
      metrics.gauge(
        'sluice_backup_lag_seconds',
        'Time since everything that was committed was in BACKUP_TO; absent without BACKUP_CONTINUOUS.',
        () => (Date.now() - (coveredAt?.getTime() ?? startedMs)) / 1000,
        { to },
      );
    }),
    subscribe(backupChannels.covered, isDate, (at) => (coveredAt = at)),
    subscribe(backupChannels.made, isDate, (at) => (madeAt = at)),
    subscribe(backupChannels.failed, isText, () => failures.add()),
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

function rateLimits(metrics: Metrics): () => void {
  let isUp: boolean | undefined;
  metrics.gauge(
    'sluice_rate_limit_store_up',
    'Whether the server of RATE_LIMIT_STORE took the last counts: 1 or 0; absent without one.',
    () => (isUp === undefined ? undefined : Number(isUp)),
  );
  return subscribe(rateLimitChannels.serverUp, isBoolean, (now) => (isUp = now));
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

function isBoolean(message: unknown): message is boolean {
  return typeof message === 'boolean';
}

function isMaybeNumber(message: unknown): message is number | undefined {
  return isNumber(message) || isNothing(message);
}

function isScheduledTo(value: unknown): value is ScheduledTo {
  return typeof value === 'object' && value !== null && 'to' in value && 'isContinuous' in value;
}

function isDate(message: unknown): message is Date {
  return message instanceof Date;
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
