/** Runs a task at an interval, never twice at once, by a timer that keeps no program alive. */
export class Repeat {
  private readonly task: () => void | Promise<void>;
  private readonly intervalMs: number;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;

  /** @param task its errors are its own: a rejection is an unhandled one */
  constructor(task: () => void | Promise<void>, intervalMs: number) {
    this.task = task;
    this.intervalMs = intervalMs;
  }

  /** The first run is after one interval. */
  start(): void {
    this.timer = setInterval(() => void this.run(), this.intervalMs).unref();
  }

  /** @returns after the first run, which begins at once */
  startNow(): Promise<void> {
    this.start();
    return this.run();
  }

  /** Runs the task now, or waits for the run that has begun. */
  run(): Promise<void> {
    if (this.running !== undefined) return this.running;
    const result = this.task();
    if (!(result instanceof Promise)) return Promise.resolve();
    this.running = result.finally(() => (this.running = undefined));
    return this.running;
  }

  /** Clears the timer, and waits for the running task. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }
}
