import { channel } from 'node:diagnostics_channel';

/** A password sign-in's outcome. `refused` means that it was not compared, because there were too many sign-ins. */
export type SignInOutcome = 'succeeded' | 'wrong-credentials' | 'disabled' | 'refused';

/** The channels on which accounts publish while somebody subscribes. */
export const accountsChannels = {
  /** The channel for each {@link SignInOutcome}. */
  signIn: channel('sluice:accounts:sign-in'),
  /** The channel that reports each read of the revocation log, without a message. */
  revocationsRead: channel('sluice:accounts:revocations-read'),
};
