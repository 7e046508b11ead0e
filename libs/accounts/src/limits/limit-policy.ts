import type { AttemptRow } from './attempt.table';

/** What the attempts of a subject cost. All times are milliseconds. */
export interface LimitPolicy {
  /** Attempts without a lockout. */
  readonly free: number;
  /** The lockout after the last free attempt, after the next one, and so on; the last entry applies to all further ones. */
  readonly waits: readonly [number, ...number[]];
  /** The start of lockout and expiry: the first attempt or the latest. */
  readonly since: 'startedAt' | 'latestAt';
  /** When the counter expires; not shorter than any lockout. */
  readonly forgetAfter: number;
}

/** The attempts of a subject, as a row has them. */
export type Counter = Omit<AttemptRow, 'subject'>;

/**
 * Permitted clock skew between machines. A time further in the future was written before a clock was set back, and must not
 * prolong a lockout.
 */
export const MAX_AHEAD_MS = 60_000;

/** The remaining lockout in milliseconds; 0 if an attempt is permitted. */
export function waitOf(counter: Counter | undefined, policy: LimitPolicy, now: number): number {
  if (counter === undefined || counter.count < policy.free) return 0;
  const step = Math.min(counter.count - policy.free, policy.waits.length - 1);
  const elapsed = now - counter[policy.since].getTime();
  const wait = policy.waits[step] ?? 0;
  return elapsed < -MAX_AHEAD_MS ? 0 : Math.min(wait, Math.max(0, wait - elapsed));
}
