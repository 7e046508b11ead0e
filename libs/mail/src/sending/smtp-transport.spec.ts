import {
  mailUser,
  startMailServer,
  type TestMailServer,
  trustTestCertificate,
} from '../../testing/mail-server';
import { MailRefusedError, MailServerError } from '../errors';
import { readSmtpUrl } from '../smtp-url';
import { SmtpTransport } from './smtp-transport';

const mail = {
  recipient: 'ada@example.com',
  subject: 'Grüße',
  text: 'Öffnen Sie den Link.',
  html: '<p>Öffnen Sie den Link.</p>',
  messageId: '<1@example.com>',
  createdAt: new Date('2026-11-22T12:00:00Z'),
};

function transportTo(server: TestMailServer, { protocol = 'smtp', auth = '', host = '127.0.0.1' } = {}) {
  const url = readSmtpUrl(`${protocol}://${auth}${host}:${server.port}`);
  if (url === undefined) throw new TypeError('not a URL of a mail server');
  return new SmtpTransport(url, 'Sluice <no-reply@example.com>', 2000);
}

const credentials = `${mailUser.user}:${encodeURIComponent(mailUser.pass)}@`;

describe('mails by SMTP', () => {
  let server: TestMailServer;
  const start = async (...options: Parameters<typeof startMailServer>) =>
    (server = await startMailServer(...options));
  let distrust: () => void;
  beforeAll(() => (distrust = trustTestCertificate()));
  afterAll(() => distrust());
  afterEach(() => server.close());

  it('have both texts, a sender, a date and their own id', async () => {
    await transportTo(await start()).send(mail);
    const [{ recipients, source } = { recipients: [], source: '' }] = server.received;
    expect(recipients).toEqual(['ada@example.com']);
    for (const line of [
      'From: Sluice <no-reply@example.com>',
      'To: ada@example.com',
      'Message-ID: <1@example.com>',
      'Date: Sun, 22 Nov 2026 12:00:00 +0000',
      'Auto-Submitted: auto-generated',
    ])
      expect(source).toContain(`${line}\r\n`);
    expect(source).toContain('text/plain');
    expect(source).toContain('text/html');
  });

  it('have one recipient, also if the address looks like two', async () => {
    const sending = transportTo(await start()).send({ ...mail, recipient: '"a@example.com,b"@example.org' });
    // This server takes no quoted address; of a list it would take the first one.
    await expect(sending).rejects.toThrow(expect.objectContaining({ failure: '501 RCPT TO' }));
    expect(server.received).toEqual([]);
  });

  it('go over TLS from the start, with a password', async () => {
    await start({ secure: true, authOptional: false });
    await transportTo(server, { protocol: 'smtps', auth: credentials }).send(mail);
    expect(server.received[0]).toMatchObject({ isEncrypted: true, user: mailUser.user });
  });

  it('go over STARTTLS, with a password', async () => {
    await start({ disabledCommands: [], authOptional: false });
    await transportTo(server, { auth: credentials }).send(mail);
    expect(server.received[0]).toMatchObject({ isEncrypted: true, user: mailUser.user });
  });

  it('are not sent with a password to a server without TLS', async () => {
    await start({ authOptional: false, allowInsecureAuth: true });
    await expect(transportTo(server, { auth: credentials }).send(mail)).rejects.toThrow(MailServerError);
    expect(server.received).toEqual([]);
  });

  it('are not sent to a server with an unknown certificate', async () => {
    distrust();
    await start({ secure: true });
    await expect(transportTo(server, { protocol: 'smtps' }).send(mail)).rejects.toThrow(MailServerError);
    distrust = trustTestCertificate();
  });

  it('are refused for good, or deferred, as the server says', async () => {
    const transport = transportTo(await start());
    server.answer = 'refuse';
    await expect(transport.send(mail)).rejects.toThrow(
      expect.objectContaining({ name: 'MailRefusedError', failure: '550 RCPT TO' }),
    );
    server.answer = 'defer';
    await expect(transport.send(mail)).rejects.toThrow(
      expect.objectContaining({ name: 'MailDeferredError', failure: '451 RCPT TO' }),
    );
  });

  it('are retried if the server refuses the sender or the password', async () => {
    const refused = Object.assign(new Error('no'), { responseCode: 550 });
    await start({ onMailFrom: (_address, _session, done) => done(refused) });
    await expect(transportTo(server).send(mail)).rejects.not.toThrow(MailRefusedError);
    await server.close();
    await start({ secure: true, authOptional: false });
    const wrong = transportTo(server, { protocol: 'smtps', auth: 'sluice:wrong@' });
    await expect(wrong.send(mail)).rejects.toThrow(
      expect.objectContaining({ name: 'MailServerError', failure: expect.stringContaining('535') }),
    );
  });

  it('are retried if the server does not respond, or is not there', async () => {
    const transport = transportTo(await start());
    server.answer = 'stall';
    await expect(transport.send(mail)).rejects.toThrow(MailServerError);
    await server.close();
    await expect(transport.send(mail)).rejects.toThrow(MailServerError);
    await start();
  });
});
