import { channel } from 'node:diagnostics_channel';

/** What the sender of mails publishes while somebody subscribes. */
export const mailChannels = {
  /** An attempt that failed, as its {@link MailOutcome}. */
  failed: channel('sluice:mail:failed'),
};

/** `deferred`: the mail is sent again later. `rejected`: the server refused it permanently. */
export type MailOutcome = 'deferred' | 'rejected';
