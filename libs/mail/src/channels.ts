import { channel } from 'node:diagnostics_channel';

/** The diagnostics channels of the mail sender, published only to subscribers. */
export const mailChannels = {
  /** A failed attempt, as its {@link MailOutcome}. */
  failed: channel('sluice:mail:failed'),
};

/**
 * The outcome of a failed attempt. For `deferred` the mail is sent again later. For `rejected` the server refused it
 * permanently.
 */
export type MailOutcome = 'deferred' | 'rejected';
