import type { Queries } from '@app/persistence';
import type { Rate } from '@app/settings';
import { type AttemptPolicy, waitOf } from './attempt-policy';
import type { AttemptsStore } from './attempts.store';

/** Limits how often something is done in a period, counted in the database for all processes that share it. */
export class SharedLimit {
  private readonly policy: AttemptPolicy | undefined;

  /** @param rate of one subject, the period counted from the first; `false` for no limit */
  constructor(
    private readonly attempts: AttemptsStore,
    rate: Rate | false,
  ) {
    this.policy = rate ? policyOf(rate) : undefined;
  }

  /**
   * Counts one more, unless the subject is over the limit: that is not written, and costs one query.
   *
   * @param db a transaction that counts it if it commits
   * @returns milliseconds to wait; 0 if it was counted
   */
  async count(subject: string, db?: Queries): Promise<number> {
    const { policy } = this;
    if (policy === undefined) return 0;
    const [row] = await this.attempts.read([subject], db);
    const wait = waitOf(row, policy, Date.now());
    if (wait > 0) return wait;
    return (await this.attempts.increment(subject, policy, db)) === undefined ? policy.waits[0] : 0;
  }
}

function policyOf({ limit, windowSeconds }: Rate): AttemptPolicy {
  const window = windowSeconds * 1000;
  return { free: limit, waits: [window], since: 'startedAt', forgetAfter: window };
}
