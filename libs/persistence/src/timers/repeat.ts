import { systemTiming, type Timing } from './timing';

/** Runs a task at an interval, never twice at once, by a timer that keeps no program alive. */
export class Repeat {
  private readonly task: () => void | Promise<void>;
  private readonly intervalMs: number;
  private readonly timing: Timing;
  private clearTimer = (): void => {};
  private running: Promise<void> | undefined;

  /** @param task its errors are its own: a rejection is an unhandled one */
  constructor(task: () => void | Promise<void>, intervalMs: number, timing: Timing = systemTiming) {
    this.task = task;
    this.intervalMs = intervalMs;
    this.timing = timing;
  }

  /** The first run is after one interval. */
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

  /** Runs the task from its beginning: after the run that has begun, if there is one. */
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
