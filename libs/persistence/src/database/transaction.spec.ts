import { sql } from 'kysely';
import { anOwner } from '../../testing/sample-schema';
import { useMigratedDatabase } from '../../testing/migrated-database';
import { type Queries } from '../tenants/queries';
import { StoreUnavailableError, UniqueViolationError } from '../errors';
import { inTransaction } from './transaction';
import { statement } from '../statements/statement';

const all = statement((_given: object, db) => db.selectFrom('sampleProduct').select('sku').orderBy('sku'));

describe('a transaction', () => {
  const store = useMigratedDatabase();

  const skus = async (queries: Queries = store.db): Promise<string[]> => {
    const rows = await queries.selectFrom('sampleProduct').select('sku').orderBy('sku').execute();
    return rows.map(({ sku }) => sku);
  };

  it('is visible to every handle once it has returned', async () => {
    const answer = await inTransaction(store.db, async (queries) => {
      await addItem(queries, 'a');
      await addItem(queries, 'b');
      return 'done';
    });

    expect(answer).toBe('done');
    expect(await skus(store.openAnother())).toEqual(['a', 'b']);
  });

  it('rolls back when the callback throws, and rethrows', async () => {
    const work = inTransaction(store.db, async (queries) => {
      await addItem(queries, 'a');
      throw new Error('changed my mind');
    });

    await expect(work).rejects.toThrow('changed my mind');
    expect(await skus()).toEqual([]);
  });

  it('rolls back when a statement fails', async () => {
    const work = inTransaction(store.db, async (queries) => {
      await addItem(queries, 'a');
      await addItem(queries, 'a');
    });

    await expect(work).rejects.toThrow(UniqueViolationError);
    expect(await skus()).toEqual([]);
  });

  it('is joined by a nested transaction', async () => {
    const work = inTransaction(store.db, async (outer) => {
      await inTransaction(outer, (inner) => addItem(inner, 'inner'));
      throw new Error('the outer one fails');
    });

    await expect(work).rejects.toThrow('the outer one fails');
    expect(await skus()).toEqual([]);
  });

  it('is invisible to readers before the commit, and does not block them', async () => {
    await inTransaction(store.db, async (queries) => {
      await addItem(queries, 'a');
      expect(await skus(queries)).toEqual(['a']);
      expect(await skus(store.db)).toEqual([]);
    });

    expect(await skus()).toEqual(['a']);
  });

  it.each([
    ['locks a row before it decides', 'read committed'],
    ['is serializable', 'serializable'],
  ] as const)('that %s loses no increment of two handles', async (_, isolation) => {
    const { id } = await store.db
      .insertInto('sampleProduct')
      .values({ sku: 'counter', name: 'counter', price: 0 })
      .returning('id')
      .executeTakeFirstOrThrow();
    const increment = (db: Queries): Promise<unknown> =>
      inTransaction(
        db,
        async (queries) => {
          const row = queries.selectFrom('sampleProduct').select('price').where('id', '=', id);
          const read = isolation === 'serializable' ? row : row.forNoKeyUpdate();
          const { price } = await read.executeTakeFirstOrThrow();
          await queries
            .updateTable('sampleProduct')
            .set({ price: price + 1 })
            .where('id', '=', id)
            .execute();
        },
        isolation,
      );

    const handles = [store.db, store.openAnother()];
    await Promise.all(handles.flatMap((db) => Array.from({ length: 20 }, () => increment(db))));

    expect(await store.db.selectFrom('sampleProduct').select('price').execute()).toEqual([{ price: 40 }]);
  });

  it('loses no row when two handles write at once', async () => {
    const handles = [store.db, store.openAnother()];
    const names = Array.from({ length: 100 }, (_, n) => `sku-${String(n).padStart(3, '0')}`);

    await Promise.all(names.map((name, n) => addItem(handles[n % 2] ?? store.db, name)));

    expect(await skus()).toEqual(names);
  });

  it('is retried when a table was altered since its statements were prepared', async () => {
    const read = (): Promise<unknown> =>
      inTransaction(store.db, (queries) => queries.selectFrom('sampleProduct').selectAll().execute());
    await addItem(store.db, 'a');
    await read();

    await sql`alter table sample_product add column note text`.execute(store.openAnother());

    expect(await read()).toEqual([expect.objectContaining({ sku: 'a', note: null })]);
  });

  it.each(['commits', 'rolls back'])('executes nothing more after it %s', async (end) => {
    let kept: Queries = store.db;
    const work = inTransaction(store.db, async (queries) => {
      kept = queries;
      if (end === 'rolls back') throw new Error('changed my mind');
    });
    await work.catch(() => undefined);

    await expect(all.all(kept, {})).rejects.toThrow('Transaction is already');
    await expect(addItem(kept, 'late')).rejects.toThrow('Transaction is already');
    expect(await skus()).toEqual([]);
  });

  it('does not begin on a closed handle', async () => {
    const db = store.openAnother();
    await db.destroy();
    const work = vi.fn<() => Promise<void>>();

    await expect(inTransaction(db, work)).rejects.toThrow(StoreUnavailableError);
    expect(work).not.toHaveBeenCalled();
  });

  it('fails after five seconds of serialization failures', async () => {
    let [tries, passedMs] = [0, 0];
    const now = performance.now.bind(performance);
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + passedMs);
    const work = inTransaction(store.db, async () => {
      tries += 1;
      passedMs += 2_000;
      if (tries === 10) throw new Error('retried endlessly');
      throw Object.assign(new Error('could not serialize access'), { code: '40001' });
    });

    await expect(work).rejects.toThrow(StoreUnavailableError);
    expect(tries).toBe(3);
    clock.mockRestore();
  });

  it('lets one of two concurrent inserts of the same value succeed', async () => {
    const handles = [store.db, store.openAnother()];
    const outcomes = await Promise.allSettled(
      handles.map((db) =>
        inTransaction(db, (queries) => queries.insertInto('sampleOwner').values(anOwner('a@b.co')).execute()),
      ),
    );

    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });
});

describe.runIf(process.env.TEST_DATABASE_URL)('a transaction on PostgreSQL', () => {
  const store = useMigratedDatabase();

  it('is not retried because of others with other rows', async () => {
    const handles = Array.from({ length: 8 }, () => store.openAnother());
    const read = Promise.withResolvers<void>();
    let runs = 0;
    const work = handles.map((db, n) =>
      inTransaction(db, async (queries) => {
        runs += 1;
        await all.all(queries, {});
        if (runs === handles.length) read.resolve();
        await read.promise;
        await addItem(queries, `sku-${n}`);
      }),
    );

    await Promise.all(work);
    expect(runs).toBe(handles.length);
  });
});

function addItem(queries: Queries, sku: string): Promise<unknown> {
  return queries.insertInto('sampleProduct').values({ sku, name: sku, price: 1 }).execute();
}
