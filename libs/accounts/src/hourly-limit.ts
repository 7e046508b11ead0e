import { type AttemptPolicy, waitOf } from './attempt-policy';
import type { AttemptsStore } from './attempts.store';

const HOUR = 3_600_000;

/** Limits how often something is done in an hour, counted in the database for all processes that share it. */
export class HourlyLimit {
  private readonly policy: AttemptPolicy;

  /** @param perHour of one subject, counted from the first */
  constructor(
    private readonly attempts: AttemptsStore,
    perHour: number,
  ) {
    this.policy = { free: perHour, waits: [HOUR], since: 'startedAt', forgetAfter: HOUR };
  }

  /**
   * Counts one more, unless the subject is over the limit: that is not written, and costs one query.
   *
   * @returns milliseconds to wait; 0 if it was counted
   */
  async count(subject: string): Promise<number> {
    const [row] = await this.attempts.read([subject]);
    const wait = waitOf(row, this.policy, Date.now());
    if (wait > 0) return wait;
    return (await this.attempts.increment(subject, this.policy)) === undefined ? HOUR : 0;
  }
}
