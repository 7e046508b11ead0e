import { RevocationsUnknownError } from '../errors';
import type { Revocation } from './revocations.store';
import type { Standings } from './standings';

/** What two programs' clocks may differ by, which is how much longer a token may live by ours; in milliseconds. */
const SKEW_MS = 10_000;
/** How far back a clock may be set without bringing back what was ended; as long as the log is kept. In milliseconds. */
const LONGEST_STEP_MS = 3_600_000;

/** When something was learnt, by the clock that is never set, and the latest that the other had shown until then. */
interface Learnt {
  readonly at: number;
  readonly latest: number;
}

/**
 * What this program knows of revocations: no more than can still matter, for a token that has expired is refused
 * anyway. It has when both clocks say so: the one that nobody sets, which a step ahead does not fool, and the one that
 * tokens are dated by, which after a step back passes the same hour again and would let their tokens come back with it.
 */
export class RevocationView {
  private readonly learnt = new Map<string, Learnt>();
  private fedAt: number;
  private latest = 0;
  private readonly keepMs: number;

  /**
   * @param now  milliseconds of a clock that only ever goes on
   * @param date milliseconds since 1970, by which access tokens are dated
   */
  constructor(
    private readonly standings: Standings,
    private readonly ttlSeconds: number,
    private readonly now: () => number = () => performance.now(),
    private readonly date: () => number = () => Date.now(),
  ) {
    this.keepMs = ttlSeconds * 1000 + SKEW_MS;
    this.fedAt = now();
  }

  /** How many sessions and tokens are kept in mind. */
  get size(): number {
    return this.learnt.size;
  }

  /** Takes note of revocations; once or several times is the same. */
  apply(revocations: readonly Revocation[]): void {
    const learnt = { at: this.now(), latest: this.latestDate() };
    for (const { kind, subject } of revocations) {
      if (kind === 'account') this.standings.forget(Number(subject));
      else if (!this.learnt.has(subject)) this.learnt.set(subject, learnt);
    }
    this.forgetOld();
  }

  /** Says that everything appended before `moment` has been applied. */
  fed(moment: number): void {
    this.fedAt = moment;
    this.latestDate();
    this.forgetOld();
  }

  /** Whether a session or a token has been ended. */
  isRevoked(name: string | undefined): boolean {
    return name !== undefined && this.learnt.has(name);
  }

  /** @throws RevocationsUnknownError when a token may have been ended, used and expired without our hearing of it */
  assertFed(): void {
    if (this.now() - this.fedAt > this.ttlSeconds * 1000) throw new RevocationsUnknownError();
  }

  /** A clock that was years ahead has not shown the hour in which its tokens come back. */
  private latestDate(): number {
    const date = this.date();
    this.latest = Math.min(Math.max(this.latest, date), date + LONGEST_STEP_MS);
    return this.latest;
  }

  /** Oldest first, as a Map keeps them. */
  private forgetOld(): void {
    const [now, date] = [this.now(), this.date()];
    for (const [name, { at, latest }] of this.learnt) {
      if (now - at <= this.keepMs || date - latest <= this.keepMs) return;
      this.learnt.delete(name);
    }
  }
}
