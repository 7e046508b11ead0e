import { HashingBusyError } from '../errors';

/** How much may be under way, and how much may wait for how long. */
export interface WorkLimits {
  /** Jobs under way at once. */
  readonly concurrency: number;
  /** Jobs that may wait; one more is refused at once. */
  readonly maxWaiting: number;
  /** How long a job may wait to begin before it is refused, in milliseconds. */
  readonly deadlineMs: number;
}

interface Waiting {
  begin(): void;
}

/**
 * Runs a few jobs at once, lets a few wait in order of arrival, and refuses the rest early.
 *
 * Everybody who waits for a hash waits for the ones before it; a refusal now is worth more than an answer
 * that its caller no longer awaits.
 */
export class WorkQueue {
  private readonly waiting = new Set<Waiting>();
  private running = 0;

  constructor(private readonly limits: WorkLimits) {}

  /** @throws HashingBusyError if the queue is full, or the job could not begin before the deadline */
  async run<T>(job: () => Promise<T>): Promise<T> {
    await this.turn();
    try {
      return await job();
    } finally {
      this.passOn();
    }
  }

  /** @throws HashingBusyError if a job that came now would be refused at once */
  checkRoom(): void {
    if (this.running >= this.limits.concurrency && this.waiting.size >= this.limits.maxWaiting)
      throw this.busy();
  }

  private turn(): Promise<void> | undefined {
    if (this.running < this.limits.concurrency) {
      this.running += 1;
      return undefined;
    }
    this.checkRoom();
    return this.wait();
  }

  private wait(): Promise<void> {
    return new Promise((resolve, reject) => {
      const entry: Waiting = {
        begin: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        this.waiting.delete(entry);
        reject(this.busy());
      }, this.limits.deadlineMs);
      this.waiting.add(entry);
    });
  }

  /** A place that becomes free goes to whoever waits longest, so that nobody who comes now overtakes them. */
  private passOn(): void {
    const [next] = this.waiting;
    if (next) {
      this.waiting.delete(next);
      next.begin();
    } else {
      this.running -= 1;
    }
  }

  private busy(): HashingBusyError {
    return new HashingBusyError(Math.max(1, Math.ceil(this.limits.deadlineMs / 1000)));
  }
}
