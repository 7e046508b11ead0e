import { inTransaction } from '@app/persistence';
import { QueryRecord, useMigratedDatabase } from '@app/persistence/testing';
import { mailSchema } from '../schema';
import { addMail, makeOutbox } from '../../testing/outbox';

describe('the queries of the outbox', () => {
  const store = useMigratedDatabase([mailSchema]);
  const record = new QueryRecord();

  it('read no growing table completely', async () => {
    const outbox = makeOutbox(store.db);
    const [first, second] = [
      await addMail(store.db),
      await addMail(store.db, { recipient: 'b@example.com' }),
    ];
    const [claimed, secondMail] = [await outbox.claim(), await outbox.claim()];
    if (claimed === undefined || secondMail === undefined) throw new TypeError('no mail is due');
    await outbox.retryLater(claimed, '451 RCPT TO');
    await outbox.markSent(secondMail.id);
    await outbox.list({ limit: 1, offset: 0 });
    await outbox.list({ limit: 1, offset: 0, after: second });
    await outbox.listSince(first);
    await outbox.listAbout(1, { limit: 1, offset: 0, after: first });
    await inTransaction(store.db, (db) => outbox.withdraw(first, db));
    await inTransaction(store.db, (db) => outbox.endPending('a kind', 1, db));
    await inTransaction(store.db, (db) => outbox.dropPending(1, db));
    await outbox.deleteOlder(new Date(), 10);
    await outbox.deleteOver(10, 10);
    await outbox.lastId();

    expect(record.unexecuted('libs/mail/src')).toEqual({});
    expect(await record.fullScans(store.db)).toEqual([]);
  });
});
