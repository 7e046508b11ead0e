import type { SessionRow } from '@app/persistence';
import { MAX_AHEAD_MS } from '../attempt-policy';
import { TooManyRefreshesError } from '../errors';

const HOUR = 3_600_000;

/** The refreshes of a session within an hour, counted from the first. */
export type RefreshCount = Pick<SessionRow, 'refreshes' | 'refreshesFromAt'>;

/** Limits how often one session is refreshed. */
export class RefreshLimit {
  constructor(private readonly perHour: number) {}

  /** Whether the count is at the limit, in this hour or an earlier one. */
  isReached({ refreshes }: RefreshCount): boolean {
    return refreshes >= this.perHour;
  }

  /**
   * Counts one refresh more.
   *
   * @throws TooManyRefreshesError if the session is over the limit
   */
  next({ refreshes, refreshesFromAt }: RefreshCount): RefreshCount {
    const now = new Date();
    const age = refreshesFromAt === null ? HOUR : now.getTime() - refreshesFromAt.getTime();
    if (age >= HOUR || age < -MAX_AHEAD_MS) return { refreshes: 1, refreshesFromAt: now };
    if (this.isReached({ refreshes, refreshesFromAt })) throw new TooManyRefreshesError(HOUR - age);
    return { refreshes: refreshes + 1, refreshesFromAt };
  }
}
