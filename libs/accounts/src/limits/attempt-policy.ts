import type { Rate } from '@app/settings';
import type { AttemptRow } from './attempt.table';

/** A limit of attempts with a lockout. All times are milliseconds. */
export interface AttemptPolicy {
  /** Attempts without a lockout. */
  readonly free: number;
  /** The lockout after the last free attempt, after the next one, and so on; the last entry applies to all further ones. */
  readonly waits: readonly [number, ...number[]];
  /** The start of lockout and expiry: the first attempt or the latest. */
  readonly since: 'startedAt' | 'latestAt';
  /** When the counter expires; not shorter than any lockout. */
  readonly forgetAfter: number;
}

/** The configurable part of the policies. Times are seconds. */
export interface SignInRules {
  /** Of an account at one address. */
  readonly accountFailures: number;
  /** Of an account over all addresses. */
  readonly accountFailuresOverall: number;
  readonly firstLockSeconds: number;
  readonly longestLockSeconds: number;
  /** Of one address, for any account. */
  readonly address: Rate | false;
}

const DAY = 24 * 60 * 60 * 1000;

/** Consecutive failures of one account at one address. */
export function pairPolicy(rules: SignInRules): AttemptPolicy {
  return doublingPolicy(rules.accountFailures, rules);
}

/** Consecutive failures of one account over all addresses. */
export function accountPolicy(rules: SignInRules): AttemptPolicy {
  return doublingPolicy(rules.accountFailuresOverall, rules);
}

/** Each failure over the limit doubles the lockout, up to a maximum. */
function doublingPolicy(free: number, { firstLockSeconds, longestLockSeconds }: SignInRules): AttemptPolicy {
  const longest = Math.max(firstLockSeconds, longestLockSeconds) * 1000;
  const waits: [number, ...number[]] = [firstLockSeconds * 1000];
  for (let wait = waits[0] * 2; wait < longest; wait *= 2) waits.push(wait);
  if (longest > waits[0]) waits.push(longest);
  return { free, waits, since: 'latestAt', forgetAfter: Math.max(DAY, longest) };
}

/** More than a window has; the largest number of the column that counts. */
const unlimited: Rate = { limit: 2 ** 31 - 1, windowSeconds: 1 };

/** Failures of one address within a fixed window, for any account: over the limit it is locked until the end of the window. */
export function addressPolicy({ address }: SignInRules): AttemptPolicy {
  const { limit, windowSeconds } = address || unlimited;
  const window = windowSeconds * 1000;
  return { free: limit, waits: [window], since: 'startedAt', forgetAfter: window };
}

/**
 * Permitted clock skew between machines. A time further in the future was written before a clock was set back, and must not
 * prolong a lockout.
 */
export const MAX_AHEAD_MS = 60_000;

/** The remaining lockout in milliseconds; 0 if an attempt is permitted. */
export function waitOf(attempts: AttemptRow | undefined, policy: AttemptPolicy, now: number): number {
  if (attempts === undefined || attempts.count < policy.free) return 0;
  const step = Math.min(attempts.count - policy.free, policy.waits.length - 1);
  const elapsed = now - attempts[policy.since].getTime();
  const wait = policy.waits[step] ?? 0;
  return elapsed < -MAX_AHEAD_MS ? 0 : Math.min(wait, Math.max(0, wait - elapsed));
}
