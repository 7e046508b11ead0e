import { channel } from 'node:diagnostics_channel';

/** The outcome of a sign-in with a password; `refused` without a comparison, since there were too many. */
export type SignInOutcome = 'succeeded' | 'wrong-credentials' | 'disabled' | 'refused';

/** What accounts publish while somebody subscribes. */
export const accountsChannels = {
  /** A {@link SignInOutcome}. */
  signIn: channel('sluice:accounts:sign-in'),
  /** Nothing; the log of revocations was read. */
  revocationsRead: channel('sluice:accounts:revocations-read'),
};
