import { type Rate } from '@app/settings';

/** The requests of a caller in the current window. */
interface Count {
  /** The count in all programs, as last read from the store. */
  known: number;
  /** The count in this program since then. */
  pending: number;
}

/** The requests of a caller that the store does not have yet. */
export interface PendingCount {
  /** The policy and the caller. */
  readonly subject: string;
  readonly count: number;
  /** The end of the window. Counts with other ends are ignored. */
  readonly endsAt: Date;
}

/** The most callers that a window remembers. The earliest callers are forgotten first. */
const maxCallers = 100_000;

/** Counts the requests of each caller in windows with a fixed length, which begin at the same time in all programs. */
export class RateWindow {
  private counts = new Map<string, Count>();
  private beginsAtMs = 0;
  private endsAtMs = 0;

  /**
   * @param policy its name: counts of the same policy are added
   * @param now    milliseconds since 1970
   */
  constructor(
    readonly policy: string,
    readonly rate: Rate,
    private readonly now: () => number,
  ) {}

  /** Returns the seconds until the window ends, at least 1. */
  take(caller: string): number {
    const now = this.now();
    if (now >= this.endsAtMs || now < this.beginsAtMs) this.begin(now);
    const count = this.counts.get(caller) ?? this.add(caller);
    const left = this.rate.limit - count.known - count.pending;
    if (left <= 0) return -1;
    count.pending += 1;
    return left - 1;
  }

  /** Seconds until the window ends, at least 1. */
  secondsLeft(): number {
    return Math.max(1, Math.ceil((this.endsAtMs - this.now()) / 1000));
  }

  /** Returns the counts that the store does not have. */
  pending(): PendingCount[] {
    const endsAt = new Date(this.endsAtMs);
    const counts: PendingCount[] = [];
    for (const [caller, { pending }] of this.counts) {
      if (pending > 0) counts.push({ subject: this.subjectOf(caller), count: pending, endsAt });
    }
    return counts;
  }

  /**
   * Takes over totals that include the `sent` {@link pending} counts. A total below the known count comes from a store that has
   * lost counts.
   */
  learn(totals: ReadonlyMap<string, number>, sent: ReadonlyMap<string, PendingCount>): void {
    for (const [caller, count] of this.counts) {
      const subject = this.subjectOf(caller);
      const [total, included] = [totals.get(subject), sent.get(subject)];
      if (total === undefined || included?.endsAt.getTime() !== this.endsAtMs) continue;
      count.known = Math.max(total, count.known + included.count);
      count.pending -= included.count;
    }
  }

  private subjectOf(caller: string): string {
    return `${this.policy} ${caller}`;
  }

  private begin(now: number): void {
    const windowMs = this.rate.windowSeconds * 1000;
    this.beginsAtMs = now - (now % windowMs);
    this.endsAtMs = this.beginsAtMs + windowMs;
    this.counts = new Map();
  }

  private add(caller: string): Count {
    if (this.counts.size >= maxCallers) {
      const [first] = this.counts.keys();
      if (first !== undefined) this.counts.delete(first);
    }
    const count = { known: 0, pending: 0 };
    this.counts.set(caller, count);
    return count;
  }
}
