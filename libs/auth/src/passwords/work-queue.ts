import { HashingBusyError } from '../errors';

/** Limits of a {@link WorkQueue}. */
export interface WorkLimits {
  /** Jobs that run at once. */
  readonly concurrency: number;
  /** Jobs that may wait; further ones are rejected at once. */
  readonly maxWaiting: number;
  /** How long a job may wait before it is rejected. */
  readonly deadlineMs: number;
}

interface Waiting {
  start(): void;
}

/**
 * A bounded FIFO queue with limited concurrency and load shedding: jobs over the limits are rejected early, instead of
 * delaying those that wait.
 */
export class WorkQueue {
  private readonly waiting = new Set<Waiting>();
  private running = 0;

  constructor(private readonly limits: WorkLimits) {}

  /** @throws HashingBusyError if the queue is full, or the job did not start before the deadline */
  async run<T>(job: () => Promise<T>): Promise<T> {
    await this.acquire();
    try {
      return await job();
    } finally {
      this.release();
    }
  }

  /** @throws HashingBusyError if the queue is full */
  checkCapacity(): void {
    if (this.running >= this.limits.concurrency && this.waiting.size >= this.limits.maxWaiting)
      throw this.busy();
  }

  private acquire(): Promise<void> | undefined {
    if (this.running < this.limits.concurrency) {
      this.running += 1;
      return undefined;
    }
    this.checkCapacity();
    return this.wait();
  }

  private wait(): Promise<void> {
    return new Promise((resolve, reject) => {
      const entry: Waiting = {
        start: () => {
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

  /** Passes the slot to the longest waiting job directly, so that a later one cannot overtake it. */
  private release(): void {
    const [next] = this.waiting;
    if (next) {
      this.waiting.delete(next);
      next.start();
    } else {
      this.running -= 1;
    }
  }

  private busy(): HashingBusyError {
    return new HashingBusyError(Math.max(1, Math.ceil(this.limits.deadlineMs / 1000)));
  }
}
