import { systemTiming, type Timing } from './timing';

/** Runs a task at an interval. Runs never overlap, and the timer keeps no program alive. */
export class Repeat {
  private readonly task: () => void | Promise<void>;
  private readonly intervalMs: number;
  private readonly timing: Timing;
  private clearTimer = (): void => {};
  private running: Promise<void> | undefined;

  /** @param task must handle its own errors; a rejection is unhandled */
  constructor(task: () => void | Promise<void>, intervalMs: number, timing: Timing = systemTiming) {
    this.task = task;
    this.intervalMs = intervalMs;
    this.timing = timing;
  }

  /** Starts the timer. The first run is after an interval. */
  start(): void {
    this.clearTimer = this.timing.every(this.intervalMs, () => void this.run());
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

  /** Runs the task from its beginning, after the current run, if any. */
  async runAfresh(): Promise<void> {
    await this.running;
    await this.run();
  }

  /** Clears the timer, and waits for the running task. */
  async stop(): Promise<void> {
    this.clearTimer();
    await this.running;
  }
}
