import type { HttpError } from '@app/http-errors';
import { SignInOverloadError } from '../errors';
import { hashingChannels, type HashingLoad } from './channels';

/** Limits of a {@link WorkQueue}. */
export interface WorkLimits {
  /** Jobs that run at once. */
  readonly concurrency: number;
  /** The number of jobs that may wait; further jobs are rejected at once. */
  readonly maxWaiting: number;
  /** The maximum time that a job may wait before it is rejected. */
  readonly deadlineMs: number;
}

/** A job's origin, so that the queue can be fair. */
export interface JobOrigin {
  /** The kind of work, such as `sign-in`. */
  readonly kind: string;
  /** The source of its request, such as an address. */
  readonly source: string;
  /** The account, if it is known. The accounts at a source share its turns. */
  readonly account?: string;
}

interface Waiting extends JobOrigin {
  start(): void;
  reject(): void;
}

const unknownOrigin: JobOrigin = { kind: '', source: '' };

/**
 * A bounded queue with limited concurrency and load shedding. It rejects excess jobs early instead of delaying the waiting jobs.
 *
 * The queue is fair (round robin) by kind, then by source, then by account. Jobs for the same account run in FIFO order. A
 * source with a single job therefore waits for at most a single job from each competing source. When the queue is full, the
 * source with the most jobs loses its last job to a source with fewer jobs. Within a source, the account with the most jobs
 * loses.
 */
export class WorkQueue {
  /** The jobs in order of arrival. */
  private waiting: Waiting[] = [];
  private running = 0;
  private readonly order = new RoundRobin();

  constructor(private readonly limits: WorkLimits) {}

  /** @throws SignInOverloadError if the queue is full for this origin, or the job did not start before the deadline */
  async run<T>(job: () => Promise<T>, origin = unknownOrigin): Promise<T> {
    const startedAt = performance.now();
    await this.acquire(origin);
    if (hashingChannels.wait.hasSubscribers) hashingChannels.wait.publish(performance.now() - startedAt);
    try {
      return await job();
    } finally {
      this.release();
    }
  }

  private publishLoad(): void {
    if (!hashingChannels.load.hasSubscribers) return;
    const load: HashingLoad = { waiting: this.waiting.length, running: this.running };
    hashingChannels.load.publish(load);
  }

  /** @throws SignInOverloadError if the queue is full for this origin */
  checkCapacity(origin = unknownOrigin): void {
    const isFull = this.running >= this.limits.concurrency && this.waiting.length >= this.limits.maxWaiting;
    if (isFull && this.displaceable(origin) === undefined) throw this.busy();
  }

  private acquire(origin: JobOrigin): Promise<void> | undefined {
    if (this.running < this.limits.concurrency) {
      this.running += 1;
      this.publishLoad();
      return undefined;
    }
    this.checkCapacity(origin);
    if (this.waiting.length >= this.limits.maxWaiting) this.displaceable(origin)?.reject();
    return this.wait(origin);
  }

  private wait(origin: JobOrigin): Promise<void> {
    return new Promise((resolve, reject) => {
      const entry: Waiting = {
        ...origin,
        start: () => {
          clearTimeout(timer);
          this.remove(entry);
          resolve();
        },
        reject: () => {
          clearTimeout(timer);
          this.remove(entry);
          reject(this.busy());
        },
      };
      const timer = setTimeout(() => entry.reject(), this.limits.deadlineMs);
      this.waiting.push(entry);
      this.publishLoad();
    });
  }

  /** Hands the slot directly to a waiting job, so that a later job cannot overtake it. */
  private release(): void {
    const next = this.order.next(this.waiting);
    if (next) next.start();
    else this.running -= 1;
    this.publishLoad();
  }

  /**
   * Returns the last job from the largest source, else from the largest kind, else from the largest account at this source. The
   * result is `undefined` if every group is at most as large as the origin's group would be.
   */
  private displaceable(origin: JobOrigin): Waiting | undefined {
    const neighbours = this.waiting.filter(({ source }) => source === origin.source);
    const over =
      largestOver(this.waiting, sourceOf, origin) ??
      largestOver(this.waiting, kindOf, origin) ??
      largestOver(neighbours, accountOf, origin);
    return over && largestOf(over, accountOf).at(-1);
  }

  private remove(entry: Waiting): void {
    this.waiting = this.waiting.filter((waiting) => waiting !== entry);
  }

  private busy(): HttpError {
    return new SignInOverloadError(this.limits.deadlineMs);
  }
}

type KeyOf = (origin: JobOrigin) => string;
const kindOf: KeyOf = ({ kind }) => kind;
const sourceOf: KeyOf = ({ source }) => source;
const accountOf: KeyOf = ({ source, account = '' }) => `${source} ${account}`;

/** The round-robin order of the origins that have jobs waiting. */
class RoundRobin {
  private readonly kinds = new Map<string, number>();
  private readonly sources = new Map<string, number>();
  private readonly accounts = new Map<string, number>();
  private round = 0;

  next(waiting: readonly Waiting[]): Waiting | undefined {
    this.round += 1;
    const ofKind = this.take(this.kinds, kindOf, waiting);
    const ofSource = this.take(this.sources, sourceOf, ofKind);
    const [next] = this.take(this.accounts, accountOf, ofSource);
    forget(this.sources, sourceOf, waiting);
    forget(this.accounts, accountOf, waiting);
    return next;
  }

  /** The jobs of the group that was served least recently. */
  private take(served: Map<string, number>, keyOf: KeyOf, waiting: readonly Waiting[]): readonly Waiting[] {
    if (waiting.length === 0) return waiting;
    const servedAt = (entry: Waiting) => served.get(keyOf(entry)) ?? 0;
    const key = keyOf(waiting.reduce((next, entry) => (servedAt(entry) < servedAt(next) ? entry : next)));
    served.set(key, this.round);
    return waiting.filter((entry) => keyOf(entry) === key);
  }
}

/** Drops groups without a job. */
function forget(served: Map<string, number>, keyOf: KeyOf, waiting: readonly Waiting[]): void {
  const keys = new Set(waiting.map(keyOf));
  for (const key of served.keys()) if (!keys.has(key)) served.delete(key);
}

/** Returns the group with the most jobs if it is larger than the origin's group would be. */
function largestOver(
  entries: readonly Waiting[],
  keyOf: KeyOf,
  origin: JobOrigin,
): readonly Waiting[] | undefined {
  const own = entries.filter((entry) => keyOf(entry) === keyOf(origin)).length;
  const largest = largestOf(entries, keyOf);
  return largest.length > own + 1 ? largest : undefined;
}

/** Returns the largest group. Among groups with the same number of jobs, the last group wins. */
function largestOf(entries: readonly Waiting[], keyOf: KeyOf): readonly Waiting[] {
  const groups = [...Map.groupBy(entries, keyOf).values()];
  return groups.reduce((largest, group) => (group.length >= largest.length ? group : largest), []);
}
