import { useMigratedDatabase } from '@app/persistence/testing';
import { RevocationsStore } from './revocations.store';

const HOUR = 3_600_000;

describe('the log of revocations', () => {
  const current = useMigratedDatabase();

  it('is read in order, from behind any number', async () => {
    const store = new RevocationsStore(current.db);
    for (const subject of ['first', 'second']) await store.append([{ kind: 'session', subject }], current.db);
    const rows = await store.readSince(0);
    expect(rows.map(({ subject }) => subject)).toEqual(['first', 'second']);
    expect(await store.readSince(rows[0].id)).toEqual([rows[1]]);
  });

  it('forgets what is old, so many at a time, and nothing else', async () => {
    const store = new RevocationsStore(current.db);
    const [now, old] = [new Date(), new Date(Date.now() - HOUR)];
    const rows = [old, old, now].map((createdAt, at) => ({
      kind: 'session' as const,
      subject: `${at}`,
      createdAt,
    }));
    await current.db.insertInto('revocation').values(rows).execute();
    const sweep = () => store.forgetOlder(new Date(now.getTime() - HOUR / 2), 1);
    expect([await sweep(), await sweep(), await sweep()]).toEqual([1, 1, 0]);
    expect(await store.readSince(0)).toMatchObject([{ subject: '2' }]);
  });
});
