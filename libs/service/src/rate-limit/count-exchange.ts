import { StoreUnavailableError, Repeat, systemTiming, type Timing } from '@app/persistence';
import type { RateLimits } from './rate-limits';
import type { PendingCount } from './rate-window';

/** The counts of all programs. */
export interface RateCounts {
  /** Adds counts, each to that of its subject in the same window; of none, connects. @returns the totals by subject */
  add(counts: readonly PendingCount[]): Promise<ReadonlyMap<string, number>>;
  /** Deletes counts of windows that ended before, unless they expire. @returns the number deleted; `limit` if there may be more */
  deleteOlder?(before: Date, limit: number): Promise<number>;
  /** Closes a connection of its own. */
  close?(): void;
}

/** How often counts are exchanged with the other programs. */
const everyMs = 1000;
/** How often counts of past windows are deleted, and how many at once. */
const deletion = { everyMs: 60_000, rows: 500 };

/** Adds the counts of this program to those of the others, and learns theirs: nothing per request. */
export class CountExchange {
  private readonly repeat: Repeat;
  private deletedAtMs = 0;

  /**
   * @param report called with unexpected errors; an unavailable store is logged elsewhere, and counts remain local meanwhile
   */
  constructor(
    private readonly limits: Pick<RateLimits, 'windows'>,
    private readonly counts: RateCounts,
    private readonly report: (error: unknown) => void,
    private readonly timing: Timing = systemTiming,
  ) {
    this.repeat = new Repeat(() => this.exchangeReported(), everyMs, timing);
  }

  /** Without a limited route there is nothing to exchange. */
  start(): void {
    if (this.limits.windows.length > 0) this.repeat.start();
  }

  /** Stops, and exchanges the counts for the last time. */
  async stop(): Promise<void> {
    if (this.limits.windows.length === 0) return;
    await this.repeat.stop();
    await this.run();
    this.counts.close?.();
  }

  /** Exchanges the counts once, after the exchange that has begun: two at once would send the same counts twice. */
  run(): Promise<void> {
    return this.repeat.runAfresh();
  }

  private async exchange(): Promise<void> {
    const sent = this.limits.windows.flatMap((window) => window.pending());
    const totals = await this.counts.add(sent);
    const bySubject = new Map(sent.map((one) => [one.subject, one]));
    for (const window of this.limits.windows) window.learn(totals, bySubject);
    if (this.timing.wall() - this.deletedAtMs >= deletion.everyMs) await this.deleteOld();
  }

  private async deleteOld(): Promise<void> {
    const before = new Date(this.timing.wall() - deletion.everyMs);
    const deleted = await this.counts.deleteOlder?.(before, deletion.rows);
    if ((deleted ?? 0) < deletion.rows) this.deletedAtMs = this.timing.wall();
  }

  private async exchangeReported(): Promise<void> {
    try {
      await this.exchange();
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) this.report(error);
    }
  }
}
