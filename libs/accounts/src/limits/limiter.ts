import type { Queries } from '@app/persistence';
import type { Rate } from '@app/settings';
import { addressSubject } from './attempt-subjects';
import type { AttemptsStore } from './attempts.store';
import { type Counter, type LimitPolicy, MAX_AHEAD_MS, waitOf } from './limit-policy';

/** A growing lockout: each attempt over the limit doubles it, up to a maximum. Times are seconds. */
export interface BackOff {
  /** The number of attempts without a lockout. */
  readonly free: number;
  readonly firstLockSeconds: number;
  readonly longestLockSeconds: number;
}

const DAY = 24 * 60 * 60 * 1000;
/**
 * The factor by which the limit over all addresses is higher, so that a third party at a single address leaves most attempts to
 * the subject's owner.
 */
const ADDRESSES = 4;
/** The rate that stands for no limit: the largest number that the counter column can hold. */
const unlimited: Rate = { limit: 2 ** 31 - 1, windowSeconds: 1 };

/** Limits how often something is done, by a rate or by a back-off. A rate's period starts with the first attempt. */
export class Limiter {
  readonly policy: LimitPolicy;
  private readonly overall: LimitPolicy;

  /**
   * @param limit the limit for a subject; `false` for no limit
   * @param attempts the counters in the database, shared by all processes; absent if rows in other tables have the counters
   */
  constructor(
    private readonly limit: Rate | BackOff | false,
    private readonly attempts?: AttemptsStore,
  ) {
    this.policy = policyOf(limit || unlimited);
    this.overall = { ...this.policy, free: this.policy.free * ADDRESSES };
  }

  /** Returns the remaining lockout in milliseconds; 0 if an attempt is permitted. */
  waitOf(counter: Counter | undefined, now = Date.now()): number {
    return waitOf(counter, this.policy, now);
  }

  /**
   * Counts an attempt in a counter that a row stores.
   *
   * @returns the new counter, or the milliseconds to wait
   */
  next(counter: Counter | undefined, at: Date): Counter | number {
    const wait = this.waitOf(counter, at.getTime());
    if (wait > 0) return wait;
    const age = counter ? at.getTime() - counter[this.policy.since].getTime() : Infinity;
    return counter && age < this.policy.forgetAfter && age >= -MAX_AHEAD_MS
      ? { ...counter, count: counter.count + 1, latestAt: at }
      : { count: 1, startedAt: at, latestAt: at };
  }

  /**
   * Counts an attempt unless the subject is locked out. A single statement does this, so that concurrent attempts cannot exceed
   * the limit.
   *
   * @returns the new count; `undefined` if the subject is locked out
   */
  async increment(subject: string, db?: Queries): Promise<number | undefined> {
    return this.attempts?.increment(subject, this.policy, db);
  }

  /**
   * Counts an attempt unless the subject is over the limit. A refused attempt is not written, and costs a single query.
   *
   * @param db a transaction, so that the attempt only counts if it commits
   * @returns milliseconds to wait; 0 if the attempt was counted
   */
  async count(subject: string, db?: Queries, policy = this.policy): Promise<number> {
    if (this.limit === false || this.attempts === undefined) return 0;
    const [row] = await this.attempts.read([subject], db);
    const wait = waitOf(row, policy, Date.now());
    if (wait > 0) return wait;
    return (await this.attempts.increment(subject, policy, db)) === undefined ? policy.waits[0] : 0;
  }

  /**
   * Counts an attempt on a subject from an address (for IPv6, a /64). The attempt is refused if the pair is over the limit, or
   * if the subject is over four times the limit across all addresses.
   *
   * @param ip remote address, if it is known
   * @returns milliseconds to wait; 0 if the attempt was counted
   */
  async countAt(subject: string, ip = '', db?: Queries): Promise<number> {
    const wait = await this.count(`${subject} ${addressSubject(ip)}`, db);
    return wait > 0 ? wait : this.count(subject, db, this.overall);
  }
}

function policyOf(limit: Rate | BackOff): LimitPolicy {
  if ('limit' in limit) {
    const window = limit.windowSeconds * 1000;
    return { free: limit.limit, waits: [window], since: 'startedAt', forgetAfter: window };
  }
  const { free, firstLockSeconds, longestLockSeconds } = limit;
  const longest = Math.max(firstLockSeconds, longestLockSeconds) * 1000;
  const waits: [number, ...number[]] = [firstLockSeconds * 1000];
  for (let wait = waits[0] * 2; wait < longest; wait *= 2) waits.push(wait);
  if (longest > waits[0]) waits.push(longest);
  return { free, waits, since: 'latestAt', forgetAfter: Math.max(DAY, longest) };
}
