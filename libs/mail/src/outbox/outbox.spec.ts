import { inTransaction } from '@app/persistence';
import { useMigratedDatabase } from '@app/persistence/testing';
import { mailSchema } from '../schema';
import { addMail, makeOutbox } from '../../testing/outbox';
import type { ClaimedMail } from './outbox';

const MINUTE = 60_000;

describe('the outbox', () => {
  const store = useMigratedDatabase([mailSchema]);
  const startedAt = Date.parse('2026-11-22T12:00:00Z');
  const setTime = (afterMs: number) => vi.useFakeTimers({ toFake: ['Date'], now: startedAt + afterMs });
  beforeEach(() => void setTime(0));
  afterEach(() => void vi.useRealTimers());

  const outbox = () => makeOutbox(store.db);
  async function claimed(): Promise<ClaimedMail> {
    const mail = await outbox().claim();
    if (mail === undefined) throw new TypeError('no mail is due');
    return mail;
  }

  it('keeps a mail if the transaction that adds it commits', async () => {
    const adding = inTransaction(store.db, async (db) => {
      const mail = { kind: 'notice', recipient: 'a@example.com', subject: 's', text: 't', html: 'h' };
      await outbox().add({ ...mail, cause: 'operator', goodForMs: MINUTE }, db);
      throw new Error('rolled back');
    });
    await expect(adding).rejects.toThrow('rolled back');
    expect(await outbox().list({ limit: 10, offset: 0 })).toEqual([]);
    await addMail(store.db);
    expect(await outbox().list({ limit: 10, offset: 0 })).toHaveLength(1);
  });

  it('gives a mail to one program, until that one is taken for dead', async () => {
    const id = await addMail(store.db);
    const secondOutbox = makeOutbox(store.openAnother());
    const both = await Promise.all([outbox().claim(), secondOutbox.claim()]);
    expect(both.filter(Boolean).map((mail) => mail?.id)).toEqual([id]);
    setTime(9 * MINUTE);
    expect(await secondOutbox.claim()).toBeUndefined();
    setTime(10 * MINUTE);
    const again = await secondOutbox.claim();
    expect(again).toMatchObject({ id, attempts: 2, messageId: both.find(Boolean)?.messageId });
  });

  it('gives the mails to a recipient in their order, each when the one before is done or deferred', async () => {
    const ids = [await addMail(store.db), await addMail(store.db), await addMail(store.db)];
    const first = await claimed();
    expect(await outbox().claim()).toBeUndefined();
    await outbox().markSent(first.id);
    const second = await claimed();
    await outbox().retryLater(second, '451 RCPT TO');
    expect([first.id, second.id, (await claimed()).id]).toEqual(ids);
  });

  it('gives the mails of each cause in turn, and of each cause those to each recipient', async () => {
    const add = (cause: string, recipient: string) => addMail(store.db, { cause, recipient });
    for (const recipient of ['a', 'a', 'b', 'b', 'c']) await add('a flood', recipient);
    for (const recipient of ['d', 'e']) await add('one', recipient);
    await add('two', 'a');
    const shared = outbox();
    const order = [];
    for (let mail = await shared.claim(); mail !== undefined; mail = await shared.claim()) {
      order.push(mail.recipient);
      await shared.markSent(mail.id);
    }
    expect(order.join('')).toBe('adbecaab');
  });

  it('waits longer after each failed attempt, and gives up when the mail has expired', async () => {
    await addMail(store.db, { goodForMs: 4 * MINUTE });
    await outbox().retryLater(await claimed(), '451 RCPT TO');
    expect(await outbox().claim()).toBeUndefined();
    setTime(0.5 * MINUTE);
    await outbox().retryLater(await claimed(), '451 RCPT TO');
    setTime(1.4 * MINUTE);
    expect(await outbox().claim()).toBeUndefined();
    setTime(1.5 * MINUTE);
    await outbox().retryLater(await claimed(), '451 RCPT TO');
    setTime(3.5 * MINUTE);
    await outbox().retryLater(await claimed(), '451 RCPT TO');
    const [mail] = await outbox().list({ limit: 1, offset: 0 });
    expect(mail).toMatchObject({ dueAt: null, sentAt: null, attempts: 4, failure: '451 RCPT TO' });
    expect(mail?.text).toBeUndefined();
  });

  it('gives up what has expired or cannot be read, and goes on with the next', async () => {
    await addMail(store.db, { goodForMs: MINUTE });
    const unreadable = await addMail(store.db);
    await store.db.updateTable('mail').set({ sealed: 'AAAA' }).where('id', '=', unreadable).execute();
    const id = await addMail(store.db);
    setTime(2 * MINUTE);
    expect((await claimed()).id).toBe(id);
    const failures = (await outbox().list({ limit: 3, offset: 0 })).map(({ failure }) => failure);
    expect(failures).toEqual([null, 'unknown key', 'expired']);
  });

  it('has the text of a mail until it is sent, encrypted', async () => {
    const id = await addMail(store.db);
    const sealed = async () => (await store.db.selectFrom('mail').selectAll().execute())[0]?.sealed;
    expect(await sealed()).not.toContain('token');
    const [kept] = await outbox().list({ limit: 1, offset: 0 });
    expect(kept?.text?.text).toContain('#token=secret');
    await outbox().markSent((await claimed()).id);
    expect(await sealed()).toBeNull();
    expect(await outbox().list({ limit: 1, offset: 0 })).toMatchObject([
      { id, sentAt: new Date(startedAt), dueAt: null },
    ]);
    expect(await outbox().claim()).toBeUndefined();
  });

  it('is listed newest first, a page at a time', async () => {
    const ids = [await addMail(store.db), await addMail(store.db), await addMail(store.db)];
    const idsOf = async (slice: { limit: number; offset: number; after?: number }) =>
      (await outbox().list(slice)).map(({ id }) => id);
    expect(await idsOf({ limit: 2, offset: 0 })).toEqual([ids[2], ids[1]]);
    expect(await idsOf({ limit: 2, offset: 2 })).toEqual([ids[0]]);
    expect(await idsOf({ limit: 2, offset: 0, after: ids[1] })).toEqual([ids[0]]);
    expect((await outbox().listSince(ids[0] ?? 0)).map(({ id }) => id)).toEqual(ids.slice(1));
  });

  it('deletes old mails, and the oldest over a number', async () => {
    await addMail(store.db);
    setTime(MINUTE);
    const [second, third] = [await addMail(store.db), await addMail(store.db)];
    expect(await outbox().deleteOlder(new Date(startedAt + 1), 500)).toBe(1);
    expect(await outbox().deleteOlder(new Date(startedAt + 1), 500)).toBe(0);
    expect(await outbox().deleteOver(1, 500)).toBe(1);
    const left = (await outbox().list({ limit: 9, offset: 0 })).map(({ id }) => id);
    expect(left).toEqual([third]);
    expect(second).toBeLessThan(third);
  });
});
