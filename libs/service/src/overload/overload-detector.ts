import { afterQueuedReads } from './queue-delay';

/** The limits beyond which a program counts as overloaded. */
export interface OverloadLimits {
  /** The longest time that requests may wait to be read, in two consecutive measurements. `false` removes the limit. */
  readonly maxDelayMs: number | false;
  /** The number of requests that may be in flight at once. */
  readonly maxInFlight: number;
}

/** The minimum interval between two queue measurements. */
const measureEveryMs = 5;
/** The time for which the lower limit applies after the last rejection. */
const strictForMs = 1000;
/** The lower limit as a share of `maxDelayMs`. It is still more than the time a process waits for a core on a busy machine. */
const strictShare = 0.25;

/**
 * Decides which requests are rejected at once because their responses would be too late.
 *
 * The queue consists of connections with unread requests. The kernel holds it, so it cannot be counted. The detector therefore
 * puts a mark at its end. Until the event loop reaches the mark, each request that is read has waited at least as long as the
 * mark. Past the limit, requests are rejected. Rejecting is cheap, so the loop reaches the mark soon. A single long wait may
 * come from a single long task, so only two consecutive long waits count as overload. From then on a lower limit applies until
 * rejections stop for a while. The wait for accepted requests then falls to the lower limit.
 */
export class OverloadDetector {
  /** The times at which the last mark was queued and reached. */
  private markedAt = -Infinity;
  private markReachedAt = -Infinity;
  private isMarked = false;
  private lastWaitMs = 0;
  private strictUntil = -Infinity;

  /**
   * @param inFlight returns the number of requests in flight, without the current request
   * @param now returns milliseconds from a monotonic clock
   * @param queueMark calls back when everything queued before it has been read
   */
  constructor(
    private readonly limits: OverloadLimits,
    private readonly inFlight: () => number,
    private readonly now: () => number = () => performance.now(),
    private readonly queueMark: (reached: () => void) => void = afterQueuedReads,
  ) {}

  /** Returns whether the current request must be rejected. Call it once per request. */
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
    // If the loop was idle in between, this wait is the first in its row.
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
