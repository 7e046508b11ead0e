import type { AttemptRow } from './attempt.table';

/** The policy that limits a subject's attempts. All times are milliseconds. */
export interface LimitPolicy {
  /** The number of attempts without a lockout. */
  readonly free: number;
  /** The lockouts after the last free attempt and after each later attempt. The last entry applies to all further attempts. */
  readonly waits: readonly [number, ...number[]];
  /** The start of the lockout and the expiry: the first or the latest attempt. */
  readonly since: 'startedAt' | 'latestAt';
  /** The time until the counter expires; at least as long as the longest lockout. */
  readonly forgetAfter: number;
}

/** A subject's attempts, as a row stores them. */
export type Counter = Omit<AttemptRow, 'subject'>;

/**
 * The permitted clock skew between machines. A time further in the future was written before a clock was set back, and must not
 * prolong a lockout.
 */
export const MAX_AHEAD_MS = 60_000;

/** Returns the remaining lockout in milliseconds; 0 if an attempt is permitted. */
export function waitOf(counter: Counter | undefined, policy: LimitPolicy, now: number): number {
  if (counter === undefined || counter.count < policy.free) return 0;
  const step = Math.min(counter.count - policy.free, policy.waits.length - 1);
  const elapsed = now - counter[policy.since].getTime();
  const wait = policy.waits[step] ?? 0;
  return elapsed < -MAX_AHEAD_MS ? 0 : Math.min(wait, Math.max(0, wait - elapsed));
}
