/** When a program has more to do than it can. */
export interface PressureLimits {
  /** How late the event loop may be, twice in a row, in milliseconds; `false` for as late as it likes. */
  readonly maxDelayMs: number | false;
  /** How many requests may wait for their answer at once. */
  readonly maxInFlight: number;
}

/** How often the loop is asked whether it is on time, while requests come. */
const tickMs = 20;

/**
 * Knows when a request should be refused at once rather than answered late. Each turn of the loop answers what came in
 * time, and refuses the rest, which costs little: so the queue in front of the program stays as short as the delay.
 * One late turn is no overload, as a single long piece of work makes one.
 */
export class Pressure {
  private tickedAt = 0;
  private lastDelay = 0;
  private hasBeenAsked = false;
  private timer: NodeJS.Timeout | undefined;

  /**
   * @param inFlight how many requests wait for their answer, besides the one that is asked about
   * @param now      milliseconds of a clock that only ever goes on
   */
  constructor(
    private readonly limits: PressureLimits,
    private readonly inFlight: () => number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** To be asked once for each request. */
  isTooHigh(): boolean {
    if (this.inFlight() >= this.limits.maxInFlight) return true;
    if (this.limits.maxDelayMs === false) return false;
    this.hasBeenAsked = true;
    if (this.timer === undefined) this.begin();
    return this.lastDelay > this.limits.maxDelayMs / 2 && this.delay() > this.limits.maxDelayMs;
  }

  /** No timer runs while nobody asks: an idle program sleeps. */
  private begin(): void {
    this.lastDelay = 0;
    this.tickedAt = this.now();
    this.timer = setInterval(() => this.tick(), tickMs).unref();
  }

  private tick(): void {
    this.lastDelay = this.delay();
    this.tickedAt = this.now();
    if (!this.hasBeenAsked) {
      clearInterval(this.timer);
      this.timer = undefined;
    }
    this.hasBeenAsked = false;
  }

  private delay(): number {
    return this.now() - this.tickedAt - tickMs;
  }
}
