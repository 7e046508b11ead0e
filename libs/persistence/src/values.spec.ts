import * as fc from 'fast-check';
import { sql } from 'kysely';
import { anOwner } from '../testing/sample-schema';
import { useMigratedDatabase } from '../testing/migrated-database';
import { UnstorableTextError } from './errors';
import { columnsOf } from './schema/columns';

/** Timestamps in both databases' range. */
const moments = fc.date({
  min: new Date('0001-01-01T00:00:00.000Z'),
  max: new Date('9999-12-31T23:59:59.999Z'),
  noInvalidDate: true,
});
const texts = fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed() && !text.includes('\0'));

describe('a value', () => {
  const store = useMigratedDatabase();

  const write = (price: unknown, name: unknown = 'a name'): Promise<unknown> =>
    sql`insert into sample_product (id, sku, name, price) values (1, 'sku', ${name}, ${price})`.execute(
      store.db,
    );

  it('is read as it was written', async () => {
    const rows = fc.record({
      text: texts,
      price: fc.maxSafeNat(),
      moment: moments,
      maybe: fc.option(moments),
    });
    const property = fc.asyncProperty(rows, async ({ text, price, moment, maybe }) => {
      await store.db.deleteFrom('sampleProduct').execute();
      await store.db.deleteFrom('sampleOwner').execute();
      await store.db
        .insertInto('sampleProduct')
        .values({ sku: text, name: text, price, createdAt: moment })
        .execute();
      await store.db
        .insertInto('sampleOwner')
        .values({ ...anOwner(text), changedAt: moment, disabledAt: maybe })
        .execute();

      const item = await store.db
        .selectFrom('sampleProduct')
        .selectAll()
        .where('sku', '=', text)
        .where('price', '=', price)
        .where('createdAt', '=', moment)
        .executeTakeFirst();
      const account = await store.db
        .selectFrom('sampleOwner')
        .select(['emailKey', 'changedAt', 'disabledAt'])
        .executeTakeFirst();

      expect(item).toMatchObject({ sku: text, name: text, price, createdAt: moment });
      expect(account).toEqual({ emailKey: text, changedAt: moment, disabledAt: maybe });
    });

    await fc.assert(property, { numRuns: 100 });
  });

  it('is a timestamp to the millisecond, also in the rows an insert returns', async () => {
    const createdAt = new Date('2026-03-29T01:59:59.999Z');
    const row = await store.db
      .insertInto('sampleProduct')
      .values({ sku: 'sku', name: 'name', price: 0, createdAt })
      .returningAll()
      .executeTakeFirstOrThrow();

    expect(row).toEqual({ id: expect.any(Number), sku: 'sku', name: 'name', price: 0, createdAt });
  });

  it('is dated by the database by default', async () => {
    await write(1);
    const { createdAt } = await store.db
      .selectFrom('sampleProduct')
      .select('createdAt')
      .executeTakeFirstOrThrow();

    expect(createdAt).toBeInstanceOf(Date);
    // The clock may be another machine's; seconds mistaken for milliseconds would be far off.
    expect(Math.abs(createdAt.getTime() - Date.now())).toBeLessThan(3_600_000);
  });

  it('is true, false or null in a boolean column', async () => {
    const { boolean } = columnsOf(store.db.dialect);
    await sql`create table flags (is_open ${boolean}, is_known ${boolean})`.execute(store.db);
    await sql`insert into flags values (${true}, ${null}), (${false}, ${true})`.execute(store.db);
    const flags = store.db.withTables<{ flags: { isOpen: boolean; isKnown: boolean | null } }>();
    const rows = flags.selectFrom('flags').selectAll();

    expect(await rows.where('isOpen', '=', true).execute()).toEqual([{ isOpen: true, isKnown: null }]);
    expect(await rows.where('isOpen', '=', false).execute()).toEqual([{ isOpen: false, isKnown: true }]);
  });

  it('is a number when it is a count', async () => {
    await write(1);
    const row = await store.db
      .selectFrom('sampleProduct')
      .select(({ fn }) => fn.countAll().as('howMany'))
      .executeTakeFirstOrThrow();

    expect(row).toEqual({ howMany: 1 });
  });

  it('is rejected when it is text with a NUL', async () => {
    const refused = write(1, 'a\0b');

    await expect(refused).rejects.toThrow(UnstorableTextError);
    await expect(refused).rejects.toMatchObject({ name: 'UnstorableTextError' });
    await expect(
      store.db.selectFrom('sampleProduct').selectAll().where('name', '=', '\0').execute(),
    ).rejects.toThrow(UnstorableTextError);
  });

  it('is rejected when it is text with an unpaired surrogate', async () => {
    await expect(write(1, 'a\ud800')).rejects.toThrow(UnstorableTextError);
  });

  it.each([undefined, Number.NaN, Infinity, 2 ** 53, {}, [1], new Date(Number.NaN), Symbol('s')])(
    'is rejected when it cannot be bound: %s',
    async (mistake) => {
      await expect(write(mistake)).rejects.toThrow(TypeError);
    },
  );

  it('is rejected when its column has another type', async () => {
    await expect(write(1.5)).rejects.toThrow(/integer|bigint/i);
    expect(await store.db.selectFrom('sampleProduct').selectAll().execute()).toEqual([]);
  });
});
