import { type AttemptPolicy, waitOf } from './attempt-policy';
import { addressSubject } from './attempt-subjects';
import type { AttemptsStore } from './attempts.store';
import { TooManySignUpsError } from './errors';

const HOUR = 3_600_000;

/** Limits sign-ups by address (an IPv6 /64), counted in the database for all processes that share it (D24). */
export class SignUpLimit {
  private readonly policy: AttemptPolicy;

  /** @param perHour sign-ups of one address in an hour, counted from the first */
  constructor(
    private readonly attempts: AttemptsStore,
    perHour: number,
  ) {
    this.policy = { free: perHour, waits: [HOUR], since: 'startedAt', forgetAfter: HOUR };
  }

  /**
   * Counts a sign-up before its password is hashed. One over the limit is not written, and costs one query.
   *
   * @throws TooManySignUpsError if the address is over the limit
   */
  async count(ip: string): Promise<void> {
    const subject = `sign-up:${addressSubject(ip)}`;
    const [row] = await this.attempts.read([subject]);
    const wait = waitOf(row, this.policy, Date.now());
    if (wait > 0) throw new TooManySignUpsError(wait);
    const count = await this.attempts.increment(subject, this.policy);
    if (count === undefined) throw new TooManySignUpsError(HOUR);
  }
}
