import { RevocationsUnknownError } from '../errors';
import type { Revocation } from './revocations.store';
import type { AccountStateCache } from './account-state-cache';

/** Permitted clock skew between instances, which prolongs the relevance of a revocation. */
const SKEW_MS = 10_000;

/**
 * The revocations in memory of this process, kept until the affected tokens have expired. Ages are measured by a monotonic
 * clock, so that setting the system clock does not drop one early.
 */
export class RevocationView {
  private readonly addedAt = new Map<string, number>();
  private currentAt: number;
  /** How long a revocation matters. */
  readonly keepMs: number;

  /** @param now milliseconds of a monotonic clock */
  constructor(
    private readonly accountStates: AccountStateCache,
    private readonly ttlSeconds: number,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.keepMs = ttlSeconds * 1000 + SKEW_MS;
    this.currentAt = now();
  }

  /** Number of revoked sessions and tokens. */
  get size(): number {
    return this.addedAt.size;
  }

  /** Adds revocations; idempotent. */
  apply(revocations: readonly Revocation[]): void {
    const now = this.now();
    for (const { kind, subject } of revocations) {
      if (kind === 'account') this.accountStates.invalidate(Number(subject));
      else if (!this.addedAt.has(subject)) this.addedAt.set(subject, now);
    }
    this.deleteOld(now);
  }

  /** Declares that every revocation committed before `time` has been applied. */
  markCurrent(time: number): void {
    this.currentAt = time;
    this.deleteOld(this.now());
  }

  /** Whether a session (`sid`) or a token (`jti`) is revoked. */
  isRevoked(id: string | undefined): boolean {
    return id !== undefined && this.addedAt.has(id);
  }

  /** @throws RevocationsUnknownError if the view is older than the lifetime of a token */
  assertCurrent(): void {
    if (this.now() - this.currentAt > this.ttlSeconds * 1000) throw new RevocationsUnknownError();
  }

  /** A Map iterates in insertion order: oldest first. */
  private deleteOld(now: number): void {
    for (const [id, addedAt] of this.addedAt) {
      if (now - addedAt <= this.keepMs) return;
      this.addedAt.delete(id);
    }
  }
}
