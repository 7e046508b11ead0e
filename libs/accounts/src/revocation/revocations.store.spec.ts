import { useAccountsDatabase } from '../../testing/accounts-database';
import { EntryNumbers } from './entry-numbers';
import { RevocationsStore } from './revocations.store';

const HOUR = 3_600_000;

describe('the log of revocations', () => {
  const current = useAccountsDatabase();

  /** Writes entries of one program; those of `hoursAgo` are that old. */
  async function write(hoursAgo: readonly number[]): Promise<string> {
    const numbers = new EntryNumbers();
    const rows = hoursAgo.map((hours) => ({
      ...numbers.next(),
      kind: 'session' as const,
      subject: `${hours}`,
      createdAt: new Date(Date.now() - hours * HOUR),
    }));
    await current.db.insertInto('revocation').values(rows).execute();
    return rows[0].program;
  }

  const subjects = async (program: string, from = 1, limit = 10) =>
    (await new RevocationsStore(current.db).read({ program, from, limit })).map(({ subject }) => subject);

  it('is read by program, in the order of its numbers', async () => {
    const [one, other] = [await write([3, 2, 1]), await write([9])];
    expect(await subjects(one)).toEqual(['3', '2', '1']);
    expect(await subjects(one, 2, 1)).toEqual(['2']);
    expect(await subjects(other)).toEqual(['9']);
  });

  it('names each program with its last entry, and where those since a time begin', async () => {
    const store = new RevocationsStore(current.db);
    expect(await store.lastOfEach()).toEqual([]);
    const [one, other] = [await write([3, 2, 1]), await write([9])];

    expect(new Map((await store.lastOfEach()).map(({ program, last }) => [program, last]))).toEqual(
      new Map([
        [one, 3],
        [other, 1],
      ]),
    );
    // None of them was settled: the reader begins with the first that may still be committed.
    expect(await store.firstOfEach(new Date(Date.now() - 2.5 * HOUR))).toEqual([{ program: one, from: 1 }]);
  });

  it('deletes old entries in batches, and no others', async () => {
    const program = await write([3, 2, 0]);
    const store = new RevocationsStore(current.db);
    const deleteOne = () => store.deleteOlder(new Date(Date.now() - HOUR), 1);
    expect([await deleteOne(), await deleteOne(), await deleteOne()]).toEqual([1, 1, 0]);
    expect(await subjects(program)).toEqual(['0']);
  });
});
