import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';

/** A process's clocks and timers. A simulator replaces them. */
export interface Timing {
  /** Returns milliseconds since 1970. */
  readonly wall: () => number;
  /** Returns milliseconds from a monotonic clock. */
  readonly monotonic: () => number;
  /**
   * Runs a task at an interval, by a timer that keeps no program alive.
   *
   * @returns clears the timer
   */
  readonly every: (ms: number, task: () => void) => () => void;
  /** Resolves after some time. A pause of 0 ms resolves in the next event loop iteration. */
  readonly pause: (ms: number) => Promise<void>;
}

/** Node's clocks and timers. */
export const systemTiming: Timing = {
  wall: () => Date.now(),
  monotonic: () => performance.now(),
  every: (ms, task) => {
    const timer = setInterval(task, ms).unref();
    return () => clearInterval(timer);
  },
  pause: (ms) => (ms > 0 ? delay(ms) : nextTurn()),
};
