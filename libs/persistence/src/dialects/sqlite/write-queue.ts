/** Lets one through at a time, in the order in which they came. */
export class WriteQueue {
  #isTaken = false;
  readonly #waiting = new Set<() => void>();

  /**
   * Waits for one's turn.
   *
   * @param waitMs milliseconds after which we stop waiting
   * @returns the way to give the turn back, to be called once; or `undefined` if the time was up first
   */
  async enter(waitMs: number): Promise<(() => void) | undefined> {
    if (this.#isTaken && !(await this.#queue(waitMs))) return undefined;
    this.#isTaken = true;
    return () => this.#leave();
  }

  #queue(waitMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(go);
        resolve(false);
      }, waitMs);
      const go = (): void => {
        clearTimeout(timer);
        resolve(true);
      };
      this.#waiting.add(go);
    });
  }

  /** The turn goes straight to the next one, so that nobody who comes later can slip in between. */
  #leave(): void {
    for (const next of this.#waiting) {
      this.#waiting.delete(next);
      next();
      return;
    }
    this.#isTaken = false;
  }
}
