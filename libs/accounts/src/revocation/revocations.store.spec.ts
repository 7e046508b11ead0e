import { useMigratedDatabase } from '@app/persistence/testing';
import { RevocationsStore } from './revocations.store';

const HOUR = 3_600_000;

describe('the log of revocations', () => {
  const current = useMigratedDatabase();

  it('is read in order, after any id', async () => {
    const store = new RevocationsStore(current.db);
    for (const subject of ['first', 'second']) await store.append([{ kind: 'session', subject }], current.db);
    const rows = await store.readSince({ after: 0 });
    expect(rows.map(({ subject }) => subject)).toEqual(['first', 'second']);
    expect(await store.readSince({ after: rows[0].id })).toEqual([rows[1]]);
  });

  it('is read a page at a time, from the latest entry before a moment', async () => {
    const store = new RevocationsStore(current.db);
    const now = Date.now();
    const rows = [3, 2, 1, 0].map((hours) => ({
      kind: 'session' as const,
      subject: `${hours}`,
      createdAt: new Date(now - hours * HOUR),
    }));
    await current.db.insertInto('revocation').values(rows).execute();

    const after = await store.lastIdBefore(new Date(now - 2.5 * HOUR));
    expect((await store.readSince({ after }, 2)).map(({ subject }) => subject)).toEqual(['2', '1']);
    expect(await store.lastIdBefore(new Date(now - 9 * HOUR))).toBe(0);
  });

  it('deletes old entries in batches, and no others', async () => {
    const store = new RevocationsStore(current.db);
    const [now, old] = [new Date(), new Date(Date.now() - HOUR)];
    const rows = [old, old, now].map((createdAt, at) => ({
      kind: 'session' as const,
      subject: `${at}`,
      createdAt,
    }));
    await current.db.insertInto('revocation').values(rows).execute();
    const deleteOne = () => store.deleteOlder(new Date(now.getTime() - HOUR / 2), 1);
    expect([await deleteOne(), await deleteOne(), await deleteOne()]).toEqual([1, 1, 0]);
    expect(await store.readSince({ after: 0 })).toMatchObject([{ subject: '2' }]);
  });
});
