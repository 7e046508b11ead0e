import { useAccountsDatabase } from '../../testing/accounts-database';
import { OpenRevocations } from '../../testing/open-revocations';
import { RevocationCache } from './revocation-cache';
import { Revocations } from './revocations';

const HOUR = 3_600_000;

describe('the log of revocations', () => {
  const current = useAccountsDatabase();
  const cacheOf = () => new RevocationCache(async () => undefined, { ttlSeconds: 60 });
  const logged = () =>
    current.db
      .selectFrom('revocation')
      .select(['program', 'number', 'settledBelow', 'subject'])
      .orderBy('program')
      .orderBy('number')
      .execute();
  const numbers = async () => (await logged()).map(({ number, settledBelow }) => [number, settledBelow]);

  it('says which transactions of the program had ended', async () => {
    const program = new OpenRevocations(current.openAnother());
    const [first, second] = [await program.begin('first'), await program.begin('second')];
    await second.commit();
    await program.revoke('third');
    await first.commit();
    await program.revoke('fourth');
    expect(await numbers()).toEqual([
      [1, 1],
      [2, 1],
      [3, 1],
      [4, 4],
    ]);
  });

  it('says so of those that were rolled back', async () => {
    const program = new OpenRevocations(current.openAnother());
    await (await program.begin('rolled back')).rollBack();
    await program.revoke('second');
    expect(await numbers()).toEqual([[2, 2]]);
  });

  it('counts a transaction as pending until the affected tokens have expired', async () => {
    let now = 0;
    const program = new OpenRevocations(current.openAnother(), () => now);
    await program.begin('never ends');
    now = cacheOf().keepMs;
    await program.revoke('second');
    now += 1;
    await program.revoke('third');
    expect(await numbers()).toEqual([
      [2, 1],
      [3, 3],
    ]);
  });

  it('has one name for the entries of a program', async () => {
    for (const program of [new Revocations(current.db), new Revocations(current.db)])
      for (const sid of ['first', 'second'])
        await program.inTransaction(async (_, revoke) => revoke('session', sid));
    const [first, two, three, four] = (await logged()).map(({ program }) => program);
    expect([first === two, two === three, three === four]).toEqual([true, false, true]);
  });

  it('applies revocations in the process once they are committed', async () => {
    const cache = cacheOf();
    const revocations = new Revocations(current.db, cache);
    await revocations.inTransaction(async (_, revoke) => {
      revoke('session', 'a sid');
      expect(cache.isRevoked('a sid')).toBe(false);
    });
    expect(cache.isRevoked('a sid')).toBe(true);
  });

  it('deletes old entries in batches, and no others', async () => {
    const rows = [3, 2, 0].map((hours, index) => ({
      program: 'a program',
      number: index + 1,
      settledBelow: 1,
      kind: 'session' as const,
      subject: `${hours}`,
      createdAt: new Date(Date.now() - hours * HOUR),
    }));
    await current.db.insertInto('revocation').values(rows).execute();
    const revocations = new Revocations(current.db);
    const deleteOne = () => revocations.deleteOlder(new Date(Date.now() - HOUR), 1);
    expect([await deleteOne(), await deleteOne(), await deleteOne()]).toEqual([1, 1, 0]);
    expect((await logged()).map(({ subject }) => subject)).toEqual(['0']);
  });
});
