/** Midnight of some day: whole seconds, so that a test can say of each of them what lives until when. */
const START = Date.UTC(2026, 2, 1);

/** All clocks of programs and their store, in the hands of a test. Ask for it in a `describe`. */
export class HeldTime {
  /** Milliseconds that have passed. */
  counted = 0;
  /** What the clock that people set shows, in milliseconds since 1970. */
  shown = START;

  /** Lets time pass; in milliseconds. */
  pass(ms: number): void {
    this.counted += ms;
    this.step(ms);
  }

  /** Sets the clock that people set, while no time passes; in milliseconds. */
  step(ms: number): void {
    this.shown += ms;
    this.hold();
  }

  /** Has `Date` show this time, and nothing else: timers go on. */
  hold(): void {
    vi.useFakeTimers({ toFake: ['Date'], now: this.shown });
  }
}
