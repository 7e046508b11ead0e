import { openConflictingProxy, type ConflictingProxy } from '../testing/conflicting-proxy';
import { useMigratedDatabase } from '../testing/migrated-database';
import { type Database, openDatabase } from './database/database';
import { inTransaction } from './database/transaction';
import { UnknownOutcomeError } from './errors';

const canRun = process.env.TEST_DATABASE_URL !== undefined;

describe.runIf(canRun)('a connection that is lost while the server commits (needs PostgreSQL)', () => {
  const store = useMigratedDatabase();
  let proxy: ConflictingProxy;
  let db: Database;
  beforeEach(async () => {
    proxy = await openConflictingProxy(new URL(store.url), Number.POSITIVE_INFINITY);
    db = openDatabase(proxy.url);
  });
  afterEach(async () => {
    await db.destroy();
    await proxy.stop();
  });
  const add = (sku: string) =>
    inTransaction(db, (queries) =>
      queries.insertInto('sampleProduct').values({ sku, name: 'Tea', price: 5 }).execute(),
    );
  const skus = async () => {
    const rows = await store.db.selectFrom('sampleProduct').select('sku').orderBy('id').execute();
    return rows.map(({ sku }) => sku);
  };

  it('leaves it unknown whether the transaction was committed, and does not run it again', async () => {
    await add('before');
    proxy.cutAfter('COMMIT', 1);
    await expect(add('lost')).rejects.toThrow(UnknownOutcomeError);
    proxy.cutAfter('', 0);
    await add('after');
    expect(await skus()).toEqual(['before', 'lost', 'after']);
  });

  it('leaves it unknown for a statement that is a transaction by itself, unless it reads', async () => {
    proxy.cutAfter('INSERT', 1);
    const product = { sku: 'lost', name: 'Tea', price: 5 };
    const inserted = db.insertInto('sampleProduct').values(product).execute();
    await expect(inserted).rejects.toThrow(UnknownOutcomeError);
    proxy.cutAfter('SELECT', 1);
    const read = db.selectFrom('sampleProduct').select('sku').execute();
    await expect(read).rejects.toMatchObject({ name: 'StoreUnavailableError' });
    expect(await skus()).toEqual(['lost']);
  });

  it('leaves nothing of a transaction that had not begun to commit', async () => {
    proxy.cutAfter('INSERT', 1);
    await expect(add('lost')).rejects.toMatchObject({ name: 'StoreUnavailableError' });
    expect(await skus()).toEqual([]);
  });
});
