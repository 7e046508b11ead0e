import { DefaultQueryCompiler } from 'kysely';
import { useMigratedDatabase } from '../../testing/migrated-database';
import { UniqueViolationError, UnstorableTextError } from '../errors';
import { asJson, givenRows, isOneOf, jsonRows } from './json-rows';
import { computed } from './placeholder';
import { statement } from './statement';
import { inTransaction } from '../database/transaction';

const insert = statement(({ sku, price }: { sku: string; price: number }, db) =>
  db.insertInto('sampleProduct').values({ sku, name: 'a name', price }).returning(['id', 'sku', 'createdAt']),
);
const cheaper = statement(({ price }: { price: number }, db) =>
  db.selectFrom('sampleProduct').select(['sku', 'price']).where('price', '<', price).orderBy('price'),
);
const cheaperThanHalf = statement(({ price }: { price: number }, db) =>
  db
    .selectFrom('sampleProduct')
    .select('sku')
    .where(
      'price',
      '<',
      computed(price, (amount) => amount / 2),
    ),
);
const named = statement(({ skus }: { skus: readonly string[] }, db) =>
  db
    .selectFrom('sampleProduct')
    .select('sku')
    .where((item) => isOneOf(db, item.ref('sku'), skus))
    .orderBy('sku'),
);
const remove = statement(({ sku }: { sku: string }, db) =>
  db.deleteFrom('sampleProduct').where('sku', '=', sku),
);

describe('a statement', () => {
  const store = useMigratedDatabase();

  it('returns what its query returns, with the values of each call', async () => {
    const { id, createdAt } = await insert.one(store.db, { sku: 'a', price: 1 });
    await insert.one(store.db, { sku: 'b', price: 2 });

    expect([typeof id, createdAt instanceof Date]).toEqual(['number', true]);
    expect(await cheaper.all(store.db, { price: 3 })).toEqual([
      { sku: 'a', price: 1 },
      { sku: 'b', price: 2 },
    ]);
    expect(await cheaper.first(store.db, { price: 2 })).toEqual({ sku: 'a', price: 1 });
    expect(await cheaper.first(store.db, { price: 1 })).toBeUndefined();
    expect(await remove.count(store.db, { sku: 'a' })).toBe(1);
    expect(await remove.count(store.db, { sku: 'a' })).toBe(0);
  });

  it('computes values from given ones at each execution', async () => {
    for (const price of [1, 2, 3]) await insert.one(store.db, { sku: `sku ${price}`, price });

    expect(await cheaperThanHalf.all(store.db, { price: 4 })).toEqual([{ sku: 'sku 1' }]);
    expect(await cheaperThanHalf.all(store.db, { price: 6 })).toHaveLength(2);
    expect(() => computed('a value', String)).toThrow('the value must be given to a statement');
  });

  it('finds one of several texts, whatever their number', async () => {
    for (const sku of ['a', '"', '{b}']) await insert.one(store.db, { sku, price: 1 });

    expect(await named.all(store.db, { skus: [] })).toEqual([]);
    expect(await named.all(store.db, { skus: ['"', 'none', '{b}'] })).toEqual([{ sku: '"' }, { sku: '{b}' }]);
    await expect(named.all(store.db, { skus: ['a\0'] })).rejects.toThrow(UnstorableTextError);
  });

  it('is compiled once for a database and its transactions', async () => {
    await cheaper.all(store.db, { price: 1 });
    const compile = vi.spyOn(DefaultQueryCompiler.prototype, 'compileQuery');

    await cheaper.all(store.db, { price: 2 });
    await inTransaction(store.db, (db) => cheaper.all(db, { price: 3 }));

    expect(compile).not.toHaveBeenCalled();
    compile.mockRestore();
  });

  it('belongs to the transaction that it is given', async () => {
    const work = inTransaction(store.db, async (db) => {
      await insert.one(db, { sku: 'a', price: 1 });
      expect(await cheaper.all(db, { price: 2 })).toHaveLength(1);
      expect(await cheaper.all(store.db, { price: 2 })).toEqual([]);
      throw new Error('changed my mind');
    });

    await expect(work).rejects.toThrow('changed my mind');
    expect(await cheaper.all(store.db, { price: 2 })).toEqual([]);
  });

  it('throws the errors of the store', async () => {
    await insert.one(store.db, { sku: 'a', price: 1 });

    await expect(insert.one(store.db, { sku: 'a', price: 1 })).rejects.toThrow(UniqueViolationError);
    await expect(insert.one(store.db, { sku: 'a\0', price: 1 })).rejects.toThrow(UnstorableTextError);
    await expect(insert.one(store.db, { sku: 'b', price: Number.NaN })).rejects.toThrow(TypeError);
    await expect(insert.one(store.db, { sku: 'b', price: 2 })).resolves.toMatchObject({ sku: 'b' });
  });

  it('fails when it should return a row and does not', async () => {
    await expect(cheaper.one(store.db, { price: 0 })).rejects.toThrow('the statement returned no row');
  });

  it('is not executed when its database was closed', async () => {
    const db = store.openAnother();
    await cheaper.all(db, { price: 0 });
    await db.destroy();

    await expect(cheaper.all(db, { price: 0 })).rejects.toThrow('its connections are closed');
  });
});

interface Line {
  readonly sku: string;
  readonly quantity: string;
}

const insertLines = statement((parameters: { orderId: number; lines: readonly Line[] }, db) =>
  db
    .insertInto('sampleLine')
    .columns(['basketId', 'position', 'sku', 'quantity'])
    .expression(
      db
        .selectFrom(['sampleBasket', givenRows(db, parameters.lines, ['sku', 'quantity'])])
        .select(['sampleBasket.id', 'given.position', 'given.sku', 'given.quantity'])
        .where('sampleBasket.id', '=', parameters.orderId),
    ),
);
const withLines = statement(({ id }: { id: number }, db) =>
  db
    .selectFrom('sampleBasket')
    .select((order) => {
      const lines = order.selectFrom('sampleLine').select(['sku', 'quantity']).orderBy('position', 'desc');
      return ['id', asJson(jsonRows(db, lines, ['sku', 'quantity']), 'orderLines')];
    })
    .where('id', '=', id),
);

describe('rows in a statement', () => {
  const store = useMigratedDatabase();

  const anOrder = (): Promise<{ id: number }> =>
    store.db.insertInto('sampleBasket').defaultValues().returning('id').executeTakeFirstOrThrow();

  it('are inserted and read by one each, in their order, with any text', async () => {
    const { id } = await anOrder();
    const lines = ['', '"', "'", '\\', '\n', '💠', '{"a":1}', 'null', '1'].map((sku) => ({
      sku,
      quantity: '1',
    }));

    expect(await insertLines.count(store.db, { orderId: id, lines })).toBe(lines.length);
    expect(await withLines.one(store.db, { id })).toEqual({ id, orderLines: lines.toReversed() });
  });

  it('may be none', async () => {
    const { id } = await anOrder();

    expect(await insertLines.count(store.db, { orderId: id, lines: [] })).toBe(0);
    expect(await withLines.one(store.db, { id })).toEqual({ id, orderLines: [] });
  });

  it('are checked as single texts are', async () => {
    const { id } = await anOrder();
    for (const sku of ['a\0b', '\ud800']) {
      const lines = [{ sku, quantity: '1' }];
      await expect(insertLines.count(store.db, { orderId: id, lines })).rejects.toThrow(UnstorableTextError);
    }
  });
});
