import { RevocationsUnknownError } from '../errors';
import type { Revocation } from './revocations.store';
import type { AccountStateCache } from './account-state-cache';

/** What two programs' clocks may differ by, which is how much longer a token may live by ours; in milliseconds. */
const SKEW_MS = 10_000;

/**
 * What this program knows of revocations: no more than can still matter, for a token that has expired is refused
 * anyway. Ages are told by a clock that nobody sets, so that a step of the other forgets nothing early.
 */
export class RevocationView {
  private readonly learntAt = new Map<string, number>();
  private fedAt: number;
  private readonly keepMs: number;

  /** @param now milliseconds of a clock that only ever goes on */
  constructor(
    private readonly accountStates: AccountStateCache,
    private readonly ttlSeconds: number,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.keepMs = ttlSeconds * 1000 + SKEW_MS;
    this.fedAt = now();
  }

  /** How many sessions and tokens are kept in mind. */
  get size(): number {
    return this.learntAt.size;
  }

  /** Takes note of revocations; once or several times is the same. */
  apply(revocations: readonly Revocation[]): void {
    const now = this.now();
    for (const { kind, subject } of revocations) {
      if (kind === 'account') this.accountStates.forget(Number(subject));
      else if (!this.learntAt.has(subject)) this.learntAt.set(subject, now);
    }
    this.forgetOld(now);
  }

  /** Says that everything appended before `moment` has been applied. */
  fed(moment: number): void {
    this.fedAt = moment;
    this.forgetOld(this.now());
  }

  /** Whether a session or a token has been ended. */
  isRevoked(name: string | undefined): boolean {
    return name !== undefined && this.learntAt.has(name);
  }

  /** @throws RevocationsUnknownError when a token may have been ended, used and expired without our hearing of it */
  assertFed(): void {
    if (this.now() - this.fedAt > this.ttlSeconds * 1000) throw new RevocationsUnknownError();
  }

  /** Oldest first, as a Map keeps them. */
  private forgetOld(now: number): void {
    for (const [name, learntAt] of this.learntAt) {
      if (now - learntAt <= this.keepMs) return;
      this.learntAt.delete(name);
    }
  }
}
