import { afterQueuedReads } from './queue-delay';

/** When a program counts as overloaded. */
export interface OverloadLimits {
  /** How long requests may wait to be read, in two consecutive measurements; `false` for no limit. */
  readonly maxDelayMs: number | false;
  /** How many requests may be in flight at once. */
  readonly maxInFlight: number;
}

/** Minimum interval between two measurements of the queue. */
const measureEveryMs = 5;
/** How long the lower limit applies after the last rejection. */
const strictForMs = 1000;
/** The lower limit, as a share of `maxDelayMs`: still more than the time a process waits for a core on a busy machine. */
const strictShare = 0.25;

/**
 * Decides which requests are rejected at once because their responses would be too late.
 *
 * The queue is in the kernel and cannot be counted: connections whose requests have not been read yet. So a mark is put
 * at its end; until the event loop reaches it, each request that is read has waited at least as long as the mark has.
 * Past the limit, requests are rejected, which is cheap, so that the loop reaches the mark soon. One long wait is not
 * overload, since a single long task causes one; two in a row are. From then on a lower limit applies until nothing was
 * rejected for a while: the wait of accepted requests falls to the lower limit and does not stay at the upper one.
 */
export class OverloadDetector {
  /** When the last mark was queued, and when it was reached. */
  private markedAt = -Infinity;
  private markReachedAt = -Infinity;
  private isMarked = false;
  private lastWaitMs = 0;
  private strictUntil = -Infinity;

  /**
   * @param inFlight how many requests are in flight, without the current one
   * @param now      milliseconds of a monotonic clock
   * @param queueMark     calls back once everything queued before it was read
   */
  constructor(
    private readonly limits: OverloadLimits,
    private readonly inFlight: () => number,
    private readonly now: () => number = () => performance.now(),
    private readonly queueMark: (reached: () => void) => void = afterQueuedReads,
  ) {}

  /** To be called once per request. */
  isOverloaded(): boolean {
    if (this.inFlight() >= this.limits.maxInFlight) return true;
    if (this.limits.maxDelayMs === false) return false;
    const now = this.now();
    if (this.isMarked) return this.isLate(now, this.limits.maxDelayMs);
    if (now - this.markedAt >= measureEveryMs) this.measure(now);
    return false;
  }

  private isLate(now: number, maxDelayMs: number): boolean {
    const isStrict = now < this.strictUntil;
    const limit = isStrict ? maxDelayMs * strictShare : maxDelayMs;
    if (now - this.markedAt <= limit || this.lastWaitMs <= limit / 2) return false;
    this.strictUntil = now + strictForMs;
    return true;
  }

  private measure(now: number): void {
    // The loop may have been idle in between: then this wait is the first of its row.
    if (now - this.markReachedAt > measureEveryMs) this.lastWaitMs = 0;
    this.markedAt = now;
    this.isMarked = true;
    this.queueMark(() => {
      this.isMarked = false;
      this.markReachedAt = this.now();
      this.lastWaitMs = this.markReachedAt - this.markedAt;
    });
  }
}
