import type { MailEnvironment } from './settings';
import { readSmtpUrl, type SmtpServer } from './smtp-url';

/** The mail configuration. */
export interface MailOptions {
  /** The SMTP server. If absent, mails stay in the outbox. */
  readonly server?: SmtpServer;
  /** The number of mails that are sent at once. */
  readonly connections: number;
  /** The sender. */
  readonly from: string;
  /** The sender's domain. */
  readonly domain: string;
}

/** The number of mails that a program sends at once. Providers accept at least ten connections per account. */
const connections = 4;
const defaultFrom = 'Sluice <no-reply@sluice.local>';

/** Derives the configuration from the settings. */
export function mailOptions({ SMTP_URL, MAIL_FROM: from = defaultFrom }: MailEnvironment): MailOptions {
  const server = SMTP_URL === undefined ? undefined : readSmtpUrl(SMTP_URL);
  return { server, connections, from, domain: from.slice(from.lastIndexOf('@') + 1).replace(/>\s*$/, '') };
}
