const firstMs = 100;
const mostMs = 30_000;
/** A worker that ran so long has started well. */
const stableMs = 60_000;

/** How long to wait before an ended worker is started again: twice as long each time, unless it had run for a minute. */
export class RestartDelay {
  private failures = 0;

  /** @param ranMs how long the worker had run */
  next(ranMs: number): number {
    if (ranMs >= stableMs) this.failures = 0;
    return Math.min(mostMs, firstMs * 2 ** this.failures++);
  }
}
