import { afterQueuedReads } from './queue-delay';

/** When a program has more to do than it can. */
export interface OverloadLimits {
  /** How long requests may wait to be read, twice in a row, in milliseconds; `false` for as long as they like. */
  readonly maxDelayMs: number | false;
  /** How many requests may wait for their reply at once. */
  readonly maxInFlight: number;
}

/** How often at most the queue is measured. */
const measureEveryMs = 5;
/** How long a program that had to refuse stays strict. */
const strictForMs = 1000;
/** While it is strict, this part of the delay is enough to refuse: still more than a process of many is kept from a core. */
const strictShare = 0.25;

/**
 * Knows when a request should be refused at once rather than answered late.
 *
 * The queue stands in the kernel, where nobody counts it: connections whose requests were not read yet. So a mark is put
 * behind everything that waits; until the loop comes to it, each request that is read has waited as long as the mark.
 * Past the limit they are refused, which costs little, and the loop is soon at the mark. One long wait is no overload,
 * as a single long piece of work makes one; a second in a row is. From then on much less is enough, until nothing had to be
 * refused for a while: the wait of those who are answered falls to that, and does not stay at the limit.
 */
export class OverloadDetector {
  /** When the last mark was put behind the queue, and when it was come to. */
  private markedAt = -Infinity;
  private reachedAt = -Infinity;
  private isMarked = false;
  private lastWaitMs = 0;
  private strictUntil = -Infinity;

  /**
   * @param inFlight how many requests wait for their reply, besides the one that is asked about
   * @param now      milliseconds of a clock that only ever goes on
   * @param mark     calls back when what waits now was come to
   */
  constructor(
    private readonly limits: OverloadLimits,
    private readonly inFlight: () => number,
    private readonly now: () => number = () => performance.now(),
    private readonly mark: (reached: () => void) => void = afterQueuedReads,
  ) {}

  /** To be asked once for each request. */
  isTooHigh(): boolean {
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
    // Between them the loop may have slept: then this wait is the first.
    if (now - this.reachedAt > measureEveryMs) this.lastWaitMs = 0;
    this.markedAt = now;
    this.isMarked = true;
    this.mark(() => {
      this.isMarked = false;
      this.reachedAt = this.now();
      this.lastWaitMs = this.reachedAt - this.markedAt;
    });
  }
}
