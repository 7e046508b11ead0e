import { channel } from 'node:diagnostics_channel';

/** How a sign-in with a password ended; `refused` without a comparison, since there were too many. */
export type SignInOutcome = 'succeeded' | 'wrong-credentials' | 'disabled' | 'refused';

/** What accounts publish while somebody subscribes. */
export const accountsChannels = {
  /** A {@link SignInOutcome}. */
  signIn: channel('sluice:accounts:sign-in'),
  /** Nothing; the log of revocations was read. */
  revocationsRead: channel('sluice:accounts:revocations-read'),
  /** The number of rows that housekeeping has deleted. */
  swept: channel('sluice:accounts:swept'),
};
