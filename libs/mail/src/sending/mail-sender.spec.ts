import { UnknownOutcomeError } from '@app/persistence';
import { useLostConnections, useMigratedDatabase } from '@app/persistence/testing';
import { mailSchema } from '../schema';
import { addMail, makeOutbox } from '../../testing/outbox';
import { MailDeferredError, MailRefusedError, MailServerError } from '../errors';
import { type MailFailure, MailSender } from './mail-sender';
import type { OutgoingMail } from '../mail';

describe('a sender of mails', () => {
  const store = useMigratedDatabase([mailSchema]);
  const lost = useLostConnections(store);
  const sent: string[] = [];
  const failures: MailFailure[] = [];
  let fault: Error | undefined;
  beforeEach(() => {
    sent.length = failures.length = 0;
    fault = undefined;
  });

  function makeSender(outbox = makeOutbox(store.db), connections = 1): MailSender {
    const send = async ({ recipient }: OutgoingMail) => {
      if (fault !== undefined) throw fault;
      sent.push(recipient);
    };
    return new MailSender(outbox, { send }, connections, (failure) => failures.push(failure));
  }
  const rows = () => store.db.selectFrom('mail').selectAll().orderBy('id').execute();

  it('sends each mail once, also beside another program', async () => {
    const recipients = Array.from({ length: 12 }, (_, index) => `user${index}@example.com`);
    for (const recipient of recipients) await addMail(store.db, { recipient });
    const secondSender = makeSender(makeOutbox(store.openAnother()), 4);
    await Promise.all([makeSender().sendDue(), secondSender.sendDue()]);
    expect(sent.toSorted()).toEqual(recipients.toSorted());
    expect((await rows()).every(({ sentAt, dueAt }) => sentAt !== null && dueAt === null)).toBe(true);
  });

  it('sends each mail once where connections are lost after writes', async ({ skip }) => {
    skip(process.env.TEST_DATABASE_URL === undefined, 'needs PostgreSQL');
    const recipients = ['a', 'b', 'c', 'd'].map((name) => `${name}@example.com`);
    for (const recipient of recipients) await addMail(store.db, { recipient });
    // A claim of unknown outcome ends at once.
    const sender = makeSender(makeOutbox(await lost.open('sequence'), 1));
    const errors: unknown[] = [];
    for (let nth = 1; ; nth = (nth % 3) + 1) {
      const uncut = lost.cutCommit('after', nth);
      await sender.sendDue().catch((error: unknown) => errors.push(error));
      if (!uncut()) break;
    }
    expect(errors.length).toBeGreaterThan(3);
    expect(errors.every((error) => error instanceof UnknownOutcomeError)).toBe(true);
    expect(sent.toSorted()).toEqual(recipients);
    expect((await rows()).every(({ sentAt, dueAt }) => sentAt !== null && dueAt === null)).toBe(true);
  });

  it('gives up a refused mail, and goes on with the next', async () => {
    await addMail(store.db);
    fault = new MailRefusedError('550 RCPT TO');
    await makeSender().sendDue();
    expect(failures).toMatchObject([{ failure: '550 RCPT TO', isFinal: true, attempts: 1 }]);
    expect(await rows()).toMatchObject([{ sentAt: null, dueAt: null, sealed: null, failure: '550 RCPT TO' }]);
  });

  it('sends none to an account that has no e-mail', async () => {
    await addMail(store.db, { recipient: 'somebody@trusted-issuer.invalid' });
    await makeSender().sendDue();
    expect([sent, await rows()]).toMatchObject([[], [{ sentAt: null, dueAt: null, sealed: null }]]);
  });

  it('tries one mail and not the others while the server fails', async () => {
    for (const _ of [1, 2, 3]) await addMail(store.db);
    fault = new MailServerError('ECONNREFUSED CONN');
    await makeSender().sendDue();
    expect(failures).toMatchObject([{ failure: 'ECONNREFUSED CONN', isFinal: false }]);
    expect((await rows()).map(({ attempts }) => attempts)).toEqual([1, 0, 0]);
    fault = undefined;
    await makeSender().sendDue();
    expect(sent).toHaveLength(2);
  });

  it('goes on with the others when the server defers a mail', async () => {
    const first = await addMail(store.db, { recipient: 'a@example.com' });
    for (const recipient of ['a@example.com', 'b@example.com']) await addMail(store.db, { recipient });
    fault = new MailDeferredError('452 RCPT TO');
    const outbox = makeOutbox(store.db);
    vi.spyOn(outbox, 'retryLater').mockImplementationOnce(async (...args) => {
      fault = undefined;
      await makeOutbox(store.db).retryLater(...args);
    });
    await makeSender(outbox).sendDue();
    expect(failures).toMatchObject([{ mail: first, failure: '452 RCPT TO', isFinal: false }]);
    expect(sent).toEqual(['b@example.com', 'a@example.com']);
  });

  it('does not send again what it could not record', async () => {
    await addMail(store.db);
    const outbox = makeOutbox(store.db);
    const sender = makeSender(outbox);
    vi.spyOn(outbox, 'markSent').mockRejectedValueOnce(new Error('the disk is full'));
    await expect(sender.sendDue()).rejects.toThrow('the disk is full');
    await sender.sendDue();
    expect(sent).toHaveLength(1);
    expect((await rows())[0]?.sentAt).not.toBeNull();
  });

  it('ends after the mail that it is sending', async () => {
    for (const _ of [1, 2]) await addMail(store.db);
    const outbox = makeOutbox(store.db);
    const sender: MailSender = new MailSender(outbox, { send: async () => sender.stop() }, 1, () => {});
    await sender.sendDue();
    expect((await rows()).map(({ sentAt }) => sentAt !== null)).toEqual([true, false]);
  });
});
