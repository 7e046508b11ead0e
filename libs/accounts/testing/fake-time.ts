/** The start, on a full second. */
const START = Date.UTC(2026, 2, 1);

/** The clocks that all instances and their database share, controlled by a test. */
export class FakeTime {
  /** The monotonic clock, in milliseconds. */
  monotonic = 0;
  /** The system clock, in milliseconds since 1970. */
  wall = START;

  /** Advances both clocks. */
  pass(ms: number): void {
    this.monotonic += ms;
    this.step(ms);
  }

  /** Sets the system clock. */
  step(ms: number): void {
    this.wall += ms;
    this.apply();
  }

  /** Sets `Date`; timers stay real. */
  apply(): void {
    vi.useFakeTimers({ toFake: ['Date'], now: this.wall });
  }
}
