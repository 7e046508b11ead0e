import { inTransaction } from '@app/persistence';
import { useMigratedDatabase } from '@app/persistence/testing';
import { mailSchema } from '../schema';
import { startMailServer, type TestMailServer } from '../../testing/mail-server';
import { addMail, makeOutbox } from '../../testing/outbox';
import { MailSender } from './mail-sender';
import { readSmtpUrl } from '../smtp-url';
import { SmtpTransport } from './smtp-transport';

const CONNECTIONS = 4;

describe('mails that wait', { timeout: 30_000 }, () => {
  const store = useMigratedDatabase([mailSchema]);
  let server: TestMailServer;
  afterEach(() => server.close());

  /** @param onRecipient called by the server before it accepts a mail */
  async function start(onRecipient: (address: string) => Promise<void> | void): Promise<MailSender> {
    const answer = async (address: string, done: () => void) => {
      await onRecipient(address);
      done();
    };
    server = await startMailServer({
      onRcptTo: ({ address }, _session, done) => void answer(address, done),
    });
    const url = readSmtpUrl(`smtp://127.0.0.1:${server.port}`);
    if (url === undefined) throw new TypeError('not a URL of a mail server');
    const transport = new SmtpTransport(url, 'no-reply@example.com');
    return new MailSender(makeOutbox(store.db), transport, CONNECTIONS, () => {});
  }
  const add = (count: number, mail: { recipient?: string; cause?: string }) =>
    inTransaction(store.db, async (db) => {
      for (let index = 0; index < count; index += 1)
        await addMail(store.db, { recipient: `user${index}@example.org`, ...mail }, db);
    });
  const received = () => server.received.flatMap(({ recipients }) => recipients);

  it('are sent soon to one person after 800 that another caller caused', async () => {
    const { promise: arrived, resolve } = Promise.withResolvers<void>();
    const seen: string[] = [];
    const sender: MailSender = await start(async (address) => {
      seen.push(address);
      if (address !== 'victim@example.com') return arrived;
      sender.stop();
      resolve();
    });
    await add(800, { cause: 'address:192.0.2.1' });
    await add(1, { cause: 'address:192.0.2.2', recipient: 'victim@example.com' });
    await sender.sendDue();
    expect(seen).toContain('victim@example.com');
    expect(seen.length).toBeLessThanOrEqual(CONNECTIONS);
  });

  it('are sent several at once, and in their order to one recipient', async () => {
    const { promise: end, resolve } = Promise.withResolvers<void>();
    const seen: string[] = [];
    const sender = await start(async (address) => {
      seen.push(address);
      if (address === 'slow@example.com') await end;
    });
    await add(2, { recipient: 'slow@example.com' });
    await add(10, {});
    const sending = sender.sendDue();
    await expect.poll(() => received().length, { timeout: 20_000, interval: 5 }).toBe(10);
    expect(seen.filter((address) => address === 'slow@example.com')).toHaveLength(1);
    resolve();
    await sending;
    expect(received().slice(10)).toEqual(['slow@example.com', 'slow@example.com']);
  });
});
