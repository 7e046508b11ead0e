import { unlink } from 'node:fs/promises';
import { useMigratedDatabase } from '../../testing/migrated-database';

const isSqlite = process.env.TEST_DATABASE_URL === undefined && process.platform !== 'win32';

describe.runIf(isSqlite)('the handles of a program on a SQLite file that is deleted', () => {
  const store = useMigratedDatabase();

  it('all go on with the one that is written back, when the first is checked', async () => {
    const other = store.db.openAnother();
    const skus = async () =>
      (await other.selectFrom('sampleProduct').select('sku').execute()).map(({ sku }) => sku);
    await store.db.insertInto('sampleProduct').values({ sku: 'a', name: 'a', price: 1 }).execute();
    expect(await skus()).toEqual(['a']);
    await unlink(store.db.place);

    await vi.waitFor(async () => expect((await store.db.check()).note).toMatch(/was written back/));
    await store.db.insertInto('sampleProduct').values({ sku: 'b', name: 'b', price: 2 }).execute();
    await vi.waitFor(async () => {
      await store.db.check();
      expect(await skus()).toEqual(['a', 'b']);
    });
    await other.destroy();
  });
});
