import type { AccessClaims } from '@app/auth';
import { RevocationsUnavailableError } from '../errors';
import type { Revocation } from './revocations.store';
import type { AccountStateCache } from './account-state-cache';
import { HashedIds } from './hashed-ids';

/** A machine whose clock is up to a minute behind accepts a token for so much longer, and one up to five seconds ahead issues it. */
const SKEW_MS = 70_000;
/** Without an update for so long, no token is accepted, however long tokens live. */
const MAX_STALE_SECONDS = 86_400;

/**
 * The revocations in memory of this process, until the affected tokens have expired. Ages are measured by a monotonic
 * clock, so that setting the system clock does not drop one early.
 */
export class RevocationView {
  private readonly revoked = new HashedIds();
  /** How many were added when, oldest first: those of a page have one time. */
  private readonly added = new Map<number, number>();
  private currentAt: number;
  /** How long a revocation matters. */
  readonly keepMs: number;

  /**
   * @param ttlSeconds  the lifetime of access tokens
   * @param now         milliseconds of a monotonic clock
   * @param longestSeconds the longest lifetime of other tokens that are checked by it
   */
  constructor(
    private readonly accountStates: AccountStateCache,
    private readonly ttlSeconds: number,
    private readonly now: () => number = () => performance.now(),
    private readonly longestSeconds = ttlSeconds,
  ) {
    this.keepMs = longestSeconds * 1000 + SKEW_MS;
    this.currentAt = now();
  }

  /** Number of revoked sessions and tokens. */
  get size(): number {
    return this.revoked.size;
  }

  /** Adds revocations; idempotent. */
  apply(revocations: readonly Revocation[]): void {
    const now = this.now();
    const before = this.revoked.size;
    for (const { kind, subject } of revocations) {
      if (kind === 'account') this.accountStates.invalidate(Number(subject));
      else this.revoked.add(subject);
    }
    const count = this.revoked.size - before;
    if (count > 0) this.added.set(now, (this.added.get(now) ?? 0) + count);
    this.deleteOld(now);
  }

  /** Declares that every revocation committed before `time` has been applied. */
  markCurrent(time: number): void {
    this.currentAt = time;
    this.deleteOld(this.now());
  }

  /** Whether a session (`sid`) or a token (`jti`) is revoked. */
  isRevoked(id: string | undefined): boolean {
    return id !== undefined && this.revoked.has(id);
  }

  /** @throws TypeError for a token that lives longer than revocations are stored: the one of its sign-in could be deleted before it expires */
  assertRetained({ iat = Date.now() / 1000, exp }: Pick<AccessClaims, 'iat' | 'exp'>): void {
    if (exp - iat > this.longestSeconds)
      throw new TypeError(
        `a token lives longer than revocations are stored (${this.longestSeconds} s): give AccountsModule.forRoot() its lifetime as longestTokenSeconds`,
      );
  }

  /** @throws RevocationsUnavailableError if the view is older than the lifetime of a token, or than a day */
  assertCurrent(): void {
    const staleSeconds = Math.min(this.ttlSeconds, MAX_STALE_SECONDS);
    if (this.now() - this.currentAt > staleSeconds * 1000) throw new RevocationsUnavailableError();
  }

  private deleteOld(now: number): void {
    for (const [at, count] of this.added) {
      if (now - at <= this.keepMs) return;
      this.added.delete(at);
      this.revoked.deleteOldest(count);
    }
  }
}
