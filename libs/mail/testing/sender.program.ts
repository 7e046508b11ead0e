import { openDatabase } from '@app/persistence';
import { MailSender } from '../src/sending/mail-sender';
import { readSmtpUrl } from '../src/smtp-url';
import { SmtpTransport } from '../src/sending/smtp-transport';
import { makeOutbox } from './outbox';

/** Sends the mails of an outbox until it is killed: `node sender.program.js DATABASE_URL SMTP_URL CLAIM_MS`. */
async function main(databaseUrl = '', smtpUrl = '', claimMs = ''): Promise<never> {
  const server = readSmtpUrl(smtpUrl);
  if (server === undefined) throw new TypeError('the second argument must be the URL of a mail server');
  const outbox = makeOutbox(openDatabase(databaseUrl), Number(claimMs));
  const sender = new MailSender(outbox, new SmtpTransport(server, 'no-reply@example.com'), 4, () => {});
  for (;;) await sender.sendDue();
}

void main(...process.argv.slice(2));
