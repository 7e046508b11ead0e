/** A FIFO mutex with a timeout. */
export class WriteQueue {
  #isLocked = false;
  readonly #waiting = new Set<() => void>();

  /**
   * Waits for the lock.
   *
   * @returns releases the lock, to be called once; `undefined` after a timeout
   */
  async acquire(waitMs: number): Promise<(() => void) | undefined> {
    if (this.#isLocked && !(await this.#queue(waitMs))) return undefined;
    this.#isLocked = true;
    return () => this.#release();
  }

  #queue(waitMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(acquired);
        resolve(false);
      }, waitMs);
      const acquired = (): void => {
        clearTimeout(timer);
        resolve(true);
      };
      this.#waiting.add(acquired);
    });
  }

  /** Passes the lock to the longest waiter directly, so that a later caller cannot overtake it. */
  #release(): void {
    for (const next of this.#waiting) {
      this.#waiting.delete(next);
      next();
      return;
    }
    this.#isLocked = false;
  }
}
