import type { AttemptRow } from '@app/persistence';

/** How many attempts one subject has, and how long it then waits. All times are milliseconds. */
export interface AttemptPolicy {
  /** Attempts that cost no wait. */
  readonly free: number;
  /** The wait after the last free attempt, after the next one, and so on; the last holds for all that follow. */
  readonly waits: readonly [number, ...number[]];
  /** From which moment waiting and forgetting are counted: the first attempt or the latest. */
  readonly since: 'startedAt' | 'latestAt';
  /** After so long all is forgotten; no shorter than any wait. */
  readonly forgetAfter: number;
}

/** What of a policy an operator may set. Times are seconds. */
export interface SignInRules {
  readonly accountFailures: number;
  readonly firstLockSeconds: number;
  readonly longestLockSeconds: number;
  readonly addressFailures: number;
  readonly addressWindowSeconds: number;
}

const DAY = 24 * 60 * 60 * 1000;

/**
 * Failures in a row, counted for one account: each one past the limit waits twice as long as the one before, but
 * never longer than the longest lock, so that nobody can be locked out for good by others.
 */
export function accountPolicy({
  accountFailures,
  firstLockSeconds,
  longestLockSeconds,
}: SignInRules): AttemptPolicy {
  const longest = Math.max(firstLockSeconds, longestLockSeconds) * 1000;
  const waits: [number, ...number[]] = [firstLockSeconds * 1000];
  for (let wait = waits[0] * 2; wait < longest; wait *= 2) waits.push(wait);
  if (longest > waits[0]) waits.push(longest);
  return { free: accountFailures, waits, since: 'latestAt', forgetAfter: Math.max(DAY, longest) };
}

/** Failures of one address within a window, whoever it said it was: then it waits for the window's end. */
export function addressPolicy({ addressFailures, addressWindowSeconds }: SignInRules): AttemptPolicy {
  const window = addressWindowSeconds * 1000;
  return { free: addressFailures, waits: [window], since: 'startedAt', forgetAfter: window };
}

/**
 * How far ahead of the clock a moment may lie: two machines may differ so much. One that lies further ahead was
 * written before a clock was set back, and must not lengthen a wait.
 */
export const MAX_AHEAD_MS = 60_000;

/** How long a subject must still wait, in milliseconds; 0 when it may try. */
export function waitOf(attempts: AttemptRow | undefined, policy: AttemptPolicy, now: number): number {
  if (attempts === undefined || attempts.count < policy.free) return 0;
  const step = Math.min(attempts.count - policy.free, policy.waits.length - 1);
  const elapsed = now - attempts[policy.since].getTime();
  const wait = policy.waits[step] ?? 0;
  return elapsed < -MAX_AHEAD_MS ? 0 : Math.min(wait, Math.max(0, wait - elapsed));
}
