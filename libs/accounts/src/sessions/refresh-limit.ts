import type { Rate } from '@app/settings';
import type { SessionRow } from './session.table';
import { MAX_AHEAD_MS } from '../limits/attempt-policy';
import { TooManyRefreshesError } from '../errors';

/** The refreshes of a session within a period, counted from the first. */
export type RefreshCount = Pick<SessionRow, 'refreshes' | 'refreshesFromAt'>;

/** Limits how often one session is refreshed. */
export class RefreshLimit {
  /** @param rate `false` for no limit */
  constructor(private readonly rate: Rate | false) {}

  /** Whether the count is at the limit, in this period or an earlier one. */
  isReached({ refreshes }: RefreshCount): boolean {
    return this.rate !== false && refreshes >= this.rate.limit;
  }

  /**
   * Counts one refresh more.
   *
   * @throws TooManyRefreshesError if the session is over the limit
   */
  next({ refreshes, refreshesFromAt }: RefreshCount): RefreshCount {
    if (this.rate === false) return { refreshes, refreshesFromAt };
    const window = this.rate.windowSeconds * 1000;
    const now = new Date();
    const age = refreshesFromAt === null ? window : now.getTime() - refreshesFromAt.getTime();
    if (age >= window || age < -MAX_AHEAD_MS) return { refreshes: 1, refreshesFromAt: now };
    if (this.isReached({ refreshes, refreshesFromAt })) throw new TooManyRefreshesError(window - age);
    return { refreshes: refreshes + 1, refreshesFromAt };
  }
}
