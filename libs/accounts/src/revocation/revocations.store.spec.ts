import { useAccountsDatabase } from '../../testing/accounts-database';
import { EntryNumbers } from './entry-numbers';
import { RevocationsStore } from './revocations.store';

const HOUR = 3_600_000;

describe('the log of revocations', () => {
  const current = useAccountsDatabase();
  const now = Date.now();

  /** Writes entries of one program; those of `hoursAgo` are that old. */
  async function write(hoursAgo: readonly number[]): Promise<string> {
    const numbers = new EntryNumbers();
    const rows = hoursAgo.map((hours) => ({
      ...numbers.next(),
      kind: 'session' as const,
      subject: `${hours}`,
      createdAt: new Date(now - hours * HOUR),
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

  it('names each program with its last entry, and what was settled when it was written', async () => {
    const store = new RevocationsStore(current.db);
    expect(await store.lastOfEach()).toEqual([]);
    const [one, other] = [await write([3, 2, 1]), await write([9])];

    // None of them was settled.
    expect(new Map((await store.lastOfEach()).map(({ program, ...end }) => [program, end]))).toEqual(
      new Map([
        [one, { last: 3, settledBelow: 1 }],
        [other, { last: 1, settledBelow: 1 }],
      ]),
    );
  });

  it('is read by time, in pages that end with a millisecond', async () => {
    await write([9, 4, 3]);
    await write([3, 3, 2, 1]);
    const store = new RevocationsStore(current.db);
    const pages: string[][] = [];
    for (let after = new Date(Date.now() - 5 * HOUR); ;) {
      const { entries, last } = await store.readAfter(after, 2);
      if (entries.length === 0) break;
      pages.push(entries.map(({ subject }) => subject));
      after = last;
    }
    expect(pages).toEqual([
      ['4', '3', '3', '3'],
      ['2', '1'],
    ]);
  });

  it('deletes old entries in batches, and no others', async () => {
    const program = await write([3, 2, 0]);
    const store = new RevocationsStore(current.db);
    const deleteOne = () => store.deleteOlder(new Date(Date.now() - HOUR), 1);
    expect([await deleteOne(), await deleteOne(), await deleteOne()]).toEqual([1, 1, 0]);
    expect(await subjects(program)).toEqual(['0']);
  });
});
