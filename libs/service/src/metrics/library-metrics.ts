import { type Channel, channel } from 'node:diagnostics_channel';
import { accountsChannels, type SignInOutcome } from '@app/accounts';
import { hashingChannels, type HashingLoad } from '@app/auth';
import { mailChannels, type MailOutcome } from '@app/mail';
import { storeChannels } from '@app/persistence';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { type DeprecatedCall, deprecatedCalls } from '../deprecation/deprecated-calls';
import { OverloadedError } from '../http/errors';
import { refusals } from '../overload/refusals';
import { rateLimitChannels } from '../rate-limit/channels';
import { type UndescribedResponse, undescribedResponses } from '../response-check/undescribed-responses';
import { defineGauge } from './define-gauge';
import { secondsBuckets } from './request-metrics';

/** The outcomes and causes that alerts expect. They are counted from 0 because a first number has no rate. */
const outcomes: readonly SignInOutcome[] = ['succeeded', 'wrong-credentials', 'disabled', 'refused'];
const mailOutcomes: readonly MailOutcome[] = ['deferred', 'rejected'];
/** The channels that the backup plugin publishes to. */
const backupChannels = {
  scheduled: channel('sluice:backup:scheduled'),
  made: channel('sluice:backup:made'),
  covered: channel('sluice:backup:covered'),
  failed: channel('sluice:backup:failed'),
};
const causes = ['StoreUnavailableError', 'StoreFaultError', OverloadedError.name];

/** Measures the events of the libraries and the ingress. @returns a function that unsubscribes */
export function measureLibraries(registry: Registry): () => void {
  const subscriptions = [
    ...events(registry),
    ...times(registry),
    ...hashing(registry),
    ...replica(registry),
    revocations(registry),
    rateLimits(registry),
    deprecated(registry),
    undescribed(registry),
    ...backups(registry),
  ];
  return () => subscriptions.forEach((unsubscribe) => unsubscribe());
}

function events(registry: Registry): readonly (() => void)[] {
  const registers = [registry];
  const refused = new Counter({
    name: 'http_refusals_total',
    help: 'Requests and connections that were refused to protect the program.',
    labelNames: ['cause'],
    registers,
  });
  const signIns = new Counter({
    name: 'sluice_sign_ins_total',
    help: 'Sign-ins with a password, by their outcome.',
    labelNames: ['outcome'],
    registers,
  });
  const mails = new Counter({
    name: 'sluice_mail_failures_total',
    help: 'Attempts to send a mail that failed: deferred until the next attempt, or rejected by the server.',
    labelNames: ['outcome'],
    registers,
  });
  const rowsDeleted = new Counter({
    name: 'sluice_expired_rows_deleted_total',
    help: 'Rows that were deleted after their retention period.',
    registers,
  });
  causes.forEach((cause) => refused.inc({ cause }, 0));
  outcomes.forEach((outcome) => signIns.inc({ outcome }, 0));
  mailOutcomes.forEach((outcome) => mails.inc({ outcome }, 0));
  return [
    subscribe(refusals, isText, (cause) => refused.inc({ cause })),
    subscribe(accountsChannels.signIn, isText, (outcome) => signIns.inc({ outcome })),
    subscribe(mailChannels.failed, isText, (outcome) => mails.inc({ outcome })),
    subscribe(storeChannels.rowsDeleted, isNumber, (rows) => rowsDeleted.inc(rows)),
  ];
}

function times(registry: Registry): readonly (() => void)[] {
  const observed = (from: Channel, name: string, help: string) => {
    const histogram = new Histogram({ name, help, buckets: secondsBuckets, registers: [registry] });
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

function replica(registry: Registry): readonly (() => void)[] {
  let lagBytes: number | undefined;
  defineGauge(
    registry,
    'sluice_store_replica_lag_bytes',
    'What the replica had not applied of the log of the primary; absent without a replica, and while it is unavailable.',
    () => (Number.isFinite(lagBytes) ? lagBytes : undefined),
  );
  const lists = new Counter({
    name: 'sluice_store_lists_total',
    help: 'Lists that may be read from the replica, by where they were read from.',
    labelNames: ['from'],
    registers: [registry],
  });
  return [
    subscribe(storeChannels.replicaLag, isMaybeNumber, (bytes) => (lagBytes = bytes)),
    subscribe(storeChannels.list, isText, (from) => lists.inc({ from })),
  ];
}

/**
 * Measures backups. The metrics are absent without a schedule. Programs that share a store have the same destination, and a
 * single program makes the backups. The destination's newest moment and shortest lag therefore apply to the store.
 */
function backups(registry: Registry): readonly (() => void)[] {
  let to: string | undefined;
  let madeAt: Date | undefined;
  let coveredAt: Date | undefined;
  void new Gauge({
    name: 'sluice_backup_timestamp_seconds',
    help: 'The moment of the newest backup that this program has seen; 0 before the first.',
    labelNames: ['to'],
    registers: [registry],
    collect() {
      if (to !== undefined) this.set({ to }, (madeAt?.getTime() ?? 0) / 1000);
    },
  });
  void new Gauge({
    name: 'sluice_backup_lag_seconds',
    help: 'Time since everything that was committed was in BACKUP_TO; absent without BACKUP_CONTINUOUS.',
    labelNames: ['to'],
    registers: [registry],
    collect() {
      if (to !== undefined && coveredAt !== undefined)
        this.set({ to }, (Date.now() - coveredAt.getTime()) / 1000);
    },
  });
  const failures = new Counter({
    name: 'sluice_backup_failures_total',
    help: 'Backups that failed, and attempts to copy changes.',
    registers: [registry],
  });
  return [
    subscribe(backupChannels.scheduled, isScheduledTo, (scheduled) => {
      to = scheduled.to;
      if (scheduled.isContinuous) coveredAt ??= new Date();
    }),
    subscribe(backupChannels.covered, isDate, (at) => (coveredAt = at)),
    subscribe(backupChannels.made, isDate, (at) => (madeAt = at)),
    subscribe(backupChannels.failed, isText, () => failures.inc()),
  ];
}

function hashing(registry: Registry): readonly (() => void)[] {
  let load: HashingLoad = { waiting: 0, running: 0 };
  defineGauge(registry, 'sluice_hashing_waiting', 'Password hashing jobs in the queue.', () => load.waiting);
  defineGauge(registry, 'sluice_hashing_running', 'Password hashing jobs in progress.', () => load.running);
  return [subscribe(hashingChannels.load, isLoad, (now) => (load = now))];
}

function revocations(registry: Registry): () => void {
  let readAt: number | undefined;
  const age = () => (readAt === undefined ? undefined : (performance.now() - readAt) / 1000);
  defineGauge(registry, 'sluice_revocations_age_seconds', 'Time since the log of revocations was read.', age);
  return subscribe(accountsChannels.revocationsRead, isNothing, () => (readAt = performance.now()));
}

function rateLimits(registry: Registry): () => void {
  let isUp: boolean | undefined;
  defineGauge(
    registry,
    'sluice_rate_limit_store_up',
    'Whether the server of RATE_LIMIT_STORE took the last counts: 1 or 0; absent without one.',
    () => (isUp === undefined ? undefined : Number(isUp)),
  );
  return subscribe(rateLimitChannels.serverUp, isBoolean, (now) => (isUp = now));
}

/** The number of callers of deprecated routes that have their own series. */
const MAX_CALLERS = 200;

/** Counts the requests to deprecated routes by caller. Further callers share the label `more`, and no label has client input. */
function deprecated(registry: Registry): () => void {
  const callers = new Set<string>();
  const calls = new Counter({
    name: 'http_deprecated_requests_total',
    help: 'Requests to deprecated routes, by route and caller.',
    labelNames: ['method', 'route', 'caller'],
    registers: [registry],
  });
  return subscribe(deprecatedCalls, isDeprecatedCall, ({ method, route, caller }) => {
    if (callers.size < MAX_CALLERS) callers.add(caller);
    calls.inc({ method, route, caller: callers.has(caller) ? caller : 'more' });
  });
}

function undescribed(registry: Registry): () => void {
  const responses = new Counter({
    name: 'http_undescribed_responses_total',
    help: 'Responses that did not match the OpenAPI document, of those that RESPONSE_CHECK chose.',
    labelNames: ['method', 'route'],
    registers: [registry],
  });
  return subscribe(undescribedResponses, isUndescribedResponse, ({ method, route }) =>
    responses.inc({ method, route }),
  );
}

function isUndescribedResponse(message: unknown): message is UndescribedResponse {
  return typeof message === 'object' && message !== null && 'route' in message && 'method' in message;
}

function isDeprecatedCall(message: unknown): message is DeprecatedCall {
  return typeof message === 'object' && message !== null && 'route' in message && 'caller' in message;
}

/** Subscribes to a channel, and ignores messages with an unexpected type. */
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

function isScheduledTo(value: unknown): value is { readonly to: string; readonly isContinuous: boolean } {
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
