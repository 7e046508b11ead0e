/** A FIFO mutex with a timeout. */
export class FifoMutex {
  private isHeld = false;
  private readonly waiting = new Set<() => void>();

  /** Whether a caller holds the lock, or is about to. */
  get isLocked(): boolean {
    return this.isHeld;
  }

  /**
   * Waits for the lock.
   *
   * @returns whether it is held, and {@link release} must be called; `false` after a timeout
   */
  async acquire(waitMs: number): Promise<boolean> {
    if (this.isHeld) return this.queue(waitMs);
    this.isHeld = true;
    return true;
  }

  /** Passes the lock to the longest waiter directly, so that a later caller cannot overtake it. */
  release(): void {
    for (const next of this.waiting) {
      this.waiting.delete(next);
      next();
      return;
    }
    this.isHeld = false;
  }

  private queue(waitMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.waiting.delete(acquired);
        resolve(false);
      }, waitMs);
      const acquired = (): void => {
        clearTimeout(timer);
        resolve(true);
      };
      this.waiting.add(acquired);
    });
  }
}
