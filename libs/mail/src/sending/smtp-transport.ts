import { type NodemailerError, type Transporter } from 'nodemailer';
import { MailDeferredError, MailRefusedError, MailServerError } from '../errors';
import type { MailTransport, OutgoingMail } from '../mail';
import type { SmtpServer } from '../smtp-url';

/** The server timeout for each step. */
const TIMEOUT_MS = 20_000;

/** Sends mails by SMTP, with a connection for each mail. */
export class SmtpTransport implements MailTransport {
  private transporter: Promise<Transporter> | undefined;

  /** @param from the sender, such as `Sluice <no-reply@example.com>` */
  constructor(
    private readonly server: SmtpServer,
    private readonly from: string,
    private readonly timeoutMs = TIMEOUT_MS,
  ) {}

  async send({ recipient, subject, text, html, messageId, createdAt }: OutgoingMail): Promise<void> {
    try {
      this.transporter ??= this.open();
      const transporter = await this.transporter;
      await transporter.sendMail({
        from: this.from,
        // An object: a text would be parsed as a list of addresses.
        to: { name: '', address: recipient },
        subject,
        text,
        html,
        messageId,
        date: createdAt,
        // RFC 3834: no program shall respond to it.
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
    } catch (error) {
      throw mailErrorOf(error);
    }
  }

  /** Loads Nodemailer with the first mail, because many programs never send mail. */
  private async open(): Promise<Transporter> {
    const { createTransport } = await import('nodemailer');
    const { auth, ...server } = this.server;
    return createTransport({
      ...server,
      auth: auth && { ...auth },
      connectionTimeout: this.timeoutMs,
      greetingTimeout: this.timeoutMs,
      dnsTimeout: this.timeoutMs,
      socketTimeout: this.timeoutMs,
      // The content is text of ours, never a reference to a file or an address.
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }
}

/**
 * Translates an SMTP error by RFC 5321 §4.2.1: 5yz is permanent; 421 ends the connection. A refused sender or refused
 * credentials count as a fault in the settings.
 */
function mailErrorOf(error: unknown): Error {
  const { code = 'unknown', responseCode, command } = isSmtpFault(error) ? error : {};
  const failure = [responseCode ?? code, command].filter(Boolean).join(' ');
  const isOfMail = (code === 'EENVELOPE' || code === 'EMESSAGE') && command !== 'MAIL FROM';
  if (!isOfMail || responseCode === undefined || responseCode === 421)
    return new MailServerError(failure, { cause: error });
  return new (responseCode >= 500 ? MailRefusedError : MailDeferredError)(failure, { cause: error });
}

/** Returns whether an error may have nodemailer's fields, which it adds to every error. */
function isSmtpFault(error: unknown): error is NodemailerError {
  return error instanceof Error;
}
