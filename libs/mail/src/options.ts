import type { MailEnvironment } from './settings';
import { readSmtpUrl, type SmtpServer } from './smtp-url';

/** Configuration of mails. */
export interface MailOptions {
  /** Absent: mails are kept in the outbox. */
  readonly server?: SmtpServer;
  /** The sender. */
  readonly from: string;
  /** The domain of the sender. */
  readonly domain: string;
}

const keptFrom = 'Sluice <no-reply@sluice.local>';

/** Derives the configuration from the settings. */
export function mailOptions({ SMTP_URL, MAIL_FROM: from = keptFrom }: MailEnvironment): MailOptions {
  const server = SMTP_URL === undefined ? undefined : readSmtpUrl(SMTP_URL);
  return { server, from, domain: from.slice(from.lastIndexOf('@') + 1).replace(/>\s*$/, '') };
}
