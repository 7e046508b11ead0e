import { HashingBusyError } from '../errors';
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
 * It is fair (round robin) by kind, and within a kind by source; jobs of one source run in FIFO order. So a source with one
 * job waits for one job of each other source, however many these have. When the queue is full, the source with the most
 * jobs loses its last one to a source with fewer.
 */
export class WorkQueue {
  /** In order of arrival. */
  private waiting: Waiting[] = [];
  private running = 0;
  private readonly turns = new Turns();

  constructor(private readonly limits: WorkLimits) {}

  /** @throws HashingBusyError if the queue is full for this origin, or the job did not start before the deadline */
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

  /** @throws HashingBusyError if the queue is full for this origin */
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

  private wait({ kind, source }: JobOrigin): Promise<void> {
    return new Promise((resolve, reject) => {
      const entry: Waiting = {
        kind,
        source,
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
    const next = this.turns.next(this.waiting);
    if (next) next.start();
    else this.running -= 1;
    this.publishLoad();
  }

  /** The last job of the source, else of the kind, that has the most; `undefined` if none has more than the origin would. */
  private displaceable({ kind, source }: JobOrigin): Waiting | undefined {
    const bySource = largest(this.waiting, (entry) => entry.source);
    if (bySource && bySource.count > countOf(this.waiting, (entry) => entry.source === source) + 1)
      return bySource.last;
    const byKind = largest(this.waiting, (entry) => entry.kind);
    if (byKind && byKind.count > countOf(this.waiting, (entry) => entry.kind === kind) + 1)
      return byKind.last;
    return undefined;
  }

  private remove(entry: Waiting): void {
    this.waiting = this.waiting.filter((other) => other !== entry);
  }

  private busy(): HashingBusyError {
    return new HashingBusyError(this.limits.deadlineMs);
  }
}

/** The round-robin order of the origins that have jobs waiting. */
class Turns {
  private readonly kinds = new Map<string, number>();
  private readonly sources = new Map<string, number>();
  private turn = 0;

  next(waiting: readonly Waiting[]): Waiting | undefined {
    const [first] = waiting;
    if (first === undefined) {
      this.sources.clear();
      return undefined;
    }
    const kind = earliest(waiting, (entry) => this.kinds.get(entry.kind) ?? 0).kind;
    const ofKind = waiting.filter((entry) => entry.kind === kind);
    const next = earliest(ofKind, (entry) => this.sources.get(entry.source) ?? 0);
    this.turn += 1;
    this.kinds.set(kind, this.turn);
    this.sources.set(next.source, this.turn);
    for (const source of this.sources.keys())
      if (!waiting.some((entry) => entry.source === source)) this.sources.delete(source);
    return next;
  }
}

/** The first entry with the lowest turn. */
function earliest(entries: readonly Waiting[], turnOf: (entry: Waiting) => number): Waiting {
  return entries.reduce((found, entry) => (turnOf(entry) < turnOf(found) ? entry : found));
}

function largest(
  entries: readonly Waiting[],
  keyOf: (entry: Waiting) => string,
): { readonly count: number; readonly last?: Waiting } | undefined {
  const groups = [...Map.groupBy(entries, keyOf).values()];
  const [group] = groups.toSorted((one, other) => other.length - one.length);
  return group && { count: group.length, last: group.at(-1) };
}

function countOf(entries: readonly Waiting[], matches: (entry: Waiting) => boolean): number {
  return entries.filter((entry) => matches(entry)).length;
}
