import type { HttpError } from '@app/http-errors';
import { SignInOverloadError } from '../errors';
import { hashingChannels, type HashingLoad } from './channels';

/** Limits of a {@link WorkQueue}. */
export interface WorkLimits {
  /** Jobs that run at once. */
  readonly concurrency: number;
  /** Jobs that may wait; further ones are rejected at once. */
  readonly maxWaiting: number;
  /** How long a job may wait before it is rejected. */
  readonly deadlineMs: number;
}

/** Who causes a job, so that the queue can be fair. */
export interface JobOrigin {
  /** What the job is for, such as `sign-in`. */
  readonly kind: string;
  /** Where its request came from, such as an address. */
  readonly source: string;
  /** Whose job it is, if that is known: the accounts of one source share what it gets. */
  readonly account?: string;
}

interface Waiting extends JobOrigin {
  start(): void;
  reject(): void;
}

const unknownOrigin: JobOrigin = { kind: '', source: '' };

/**
 * A bounded queue with limited concurrency and load shedding: jobs over the limits are rejected early, instead of delaying
 * those that wait.
 *
 * It is fair (round robin) by kind, within a kind by source, and within a source by account; jobs of one account run in FIFO order. So a
 * source with one job waits for one job of each other source, however many these have. When the queue is full, the source with the most
 * jobs loses its last one to a source with fewer, and within a source the account with the most.
 */
export class WorkQueue {
  /** In order of arrival. */
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

  /** Passes the slot to a waiting job directly, so that a later one cannot overtake it. */
  private release(): void {
    const next = this.order.next(this.waiting);
    if (next) next.start();
    else this.running -= 1;
    this.publishLoad();
  }

  /**
   * The last job of the source, else of the kind, else of the account of this source, that has the most; `undefined` if none has more than
   * the origin would.
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
    this.waiting = this.waiting.filter((other) => other !== entry);
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
    const key = keyOf(waiting.reduce((found, entry) => (servedAt(entry) < servedAt(found) ? entry : found)));
    served.set(key, this.round);
    return waiting.filter((entry) => keyOf(entry) === key);
  }
}

/** Drops groups without a job. */
function forget(served: Map<string, number>, keyOf: KeyOf, waiting: readonly Waiting[]): void {
  const keys = new Set(waiting.map(keyOf));
  for (const key of served.keys()) if (!keys.has(key)) served.delete(key);
}

/** The group with the most jobs, if it has more than that of the origin would have. */
function largestOver(
  entries: readonly Waiting[],
  keyOf: KeyOf,
  origin: JobOrigin,
): readonly Waiting[] | undefined {
  const own = entries.filter((entry) => keyOf(entry) === keyOf(origin)).length;
  const largest = largestOf(entries, keyOf);
  return largest.length > own + 1 ? largest : undefined;
}

/** Of several with the same number of jobs the one that came last. */
function largestOf(entries: readonly Waiting[], keyOf: KeyOf): readonly Waiting[] {
  const groups = [...Map.groupBy(entries, keyOf).values()];
  return groups.reduce((found, group) => (group.length >= found.length ? group : found), []);
}
