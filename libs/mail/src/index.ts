export { mailChannels, type MailOutcome } from './channels';
export { html } from './html';
export type { MailText, NewMail } from './mail';
export { mailOptions, type MailOptions } from './options';
export { mailSchema } from './schema';
export { Outbox, type OutboxEntry } from './outbox/outbox';
export { seal, type SealKeys, unseal } from './outbox/seal';
export { type MailEnvironment, mailSettings } from './settings';
export { MailWorker } from './sending/mail-worker.service';
