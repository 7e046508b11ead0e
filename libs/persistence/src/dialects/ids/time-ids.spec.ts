import { sql } from 'kysely';
import { temporaryDatabase, type TemporaryDatabase } from '../../../testing/temporary-database';
import { anOwner, baseSchema, sampleSchema } from '../../../testing/sample-schema';
import { type Database, openDatabase } from '../../database/database';
import { inTransaction } from '../../database/transaction';
import { StoreUnavailableError } from '../../errors';
import { checkIds } from '../../migrations/check-ids';
import { migrate } from '../../migrations/migrate';
import { type Ids } from '../../schema/columns';
import { statement } from '../../statements/statement';

const histories = [baseSchema, sampleSchema];
const isPostgres = process.env.TEST_DATABASE_URL !== undefined;
const MINUTE = 60_000;

const insert = statement(({ sku, price }: { sku: string; price: number }, db) =>
  db.insertInto('sampleProduct').values({ sku, name: sku, price }).returning('id'),
);

describe('ids by time', () => {
  let database: TemporaryDatabase;
  const handles: Database[] = [];
  /** Another program, which has a node of its own. */
  const open = (ids: Ids = 'time'): Database => {
    const db = openDatabase(database.url, { ids });
    handles.push(db);
    return db;
  };
  let skus = 0;
  const insertOne = async (db: Database): Promise<number> =>
    (await insert.one(db, { sku: `sku-${(skus += 1)}`, price: 1 })).id;
  const insertMany = async (db: Database, count: number): Promise<number[]> => {
    const ids: number[] = [];
    while (ids.length < count) ids.push(await insertOne(db));
    return ids;
  };
  const ranges = async () =>
    (
      await sql<{ node: number; endsBefore: number }>`select * from id_range order by node`.execute(
        open('sequence'),
      )
    ).rows;

  beforeEach(async () => {
    database = await temporaryDatabase();
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await Promise.all(handles.splice(0).map((db) => db.destroy()));
    await database.remove();
  });

  describe('in a store that was created for them', () => {
    beforeEach(() => migrate(open(), histories));

    it('are safe integers that grow, of every kind of insert', async () => {
      const db = open();
      const statements = await insertMany(db, 3);
      const rows = await db
        .insertInto('sampleProduct')
        .values(['a', 'b'].map((sku) => ({ sku, name: sku, price: 1 })))
        .returning('id')
        .execute();
      const computed = await db
        .insertInto('sampleProduct')
        .values({ sku: 'c', name: sql<string>`lower('C')`, price: 1 })
        .returning('id')
        .execute();
      const defaults = await db.insertInto('sampleBasket').defaultValues().returning('id').execute();
      const inTransactions = await inTransaction(db, (queries) =>
        insert.all(queries, { sku: 'd', price: 1 }),
      );
      const ids = [
        ...statements,
        ...[...rows, ...computed, ...defaults, ...inTransactions].map(({ id }) => id),
      ];

      expect(ids.every((id) => Number.isSafeInteger(id) && id > 2 ** 40)).toBe(true);
      expect(ids).toEqual(ids.toSorted((a, b) => a - b));
      expect(new Set(ids).size).toBe(ids.length);
      expect(await db.selectFrom('sampleProduct').select('id').orderBy('id').execute()).toHaveLength(7);
    });

    it('are not generated for rows that have one, or of tables that have none', async () => {
      const db = open();
      await db.insertInto('sampleBasket').values({ id: 7 }).execute();
      await db
        .insertInto('sampleLine')
        .values({ basketId: 7, position: 0, sku: 'a', quantity: '1' })
        .execute();
      expect(await db.selectFrom('sampleBasket').select('id').execute()).toEqual([{ id: 7 }]);
    });

    it('are not those of a query that inserts', async () => {
      const products = open().selectFrom('sampleProduct').select(['sku', 'name', 'price']);
      const inserting = async () =>
        open().insertInto('sampleProduct').columns(['sku', 'name', 'price']).expression(products).execute();
      await expect(inserting()).rejects.toThrow('a query inserts into sampleProduct, and gives no ids');
    });

    it('are those of one node in each program, also of programs that start at the same time', async () => {
      const ids = await Promise.all(Array.from({ length: 6 }, () => insertMany(open(), 3)));
      const nodes = ids.map((own) => new Set(own.map((id) => id % 1024)));
      expect(nodes.map(({ size }) => size)).toEqual([1, 1, 1, 1, 1, 1]);
      expect(new Set(ids.flat().map((id) => id % 1024)).size).toBe(6);
      expect(new Set(ids.flat()).size).toBe(18);
    });

    it('are of one node in the handles of one program', async () => {
      const db = open();
      const another = db.openAnother();
      handles.push(another);
      expect((await insertOne(db)) % 1024).toBe((await insertOne(another)) % 1024);
      expect(await ranges()).toHaveLength(1);
    });

    it('take the node of a program that ended', async () => {
      const first = await insertOne(open());
      await handles.pop()?.destroy();
      const second = await insertOne(open());
      expect(second).toBeGreaterThan(first);
      expect((second - first) % 1024).toBe(0);
    });

    it('take the node of a program that was killed after a minute, and no id of it', async () => {
      const first = await insertOne(open());
      expect((await insertOne(open())) % 1024).not.toBe(first % 1024);
      const used = Math.floor(first / 1024);
      await sql`update id_range set ends_before = ${used + 1} where node = ${first % 1024}`.execute(
        open('sequence'),
      );
      await vi.waitUntil(() => Date.now() * 4 > Date.UTC(2026) * 4 + used);
      const second = await insertOne(open());
      expect(await ranges()).toHaveLength(2);
      expect(second % 1024).toBe(first % 1024);
      expect(second).toBeGreaterThan(first);
    });

    it('go on when what is reserved is extended, or taken by another program', async () => {
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
      const db = open();
      const first = await insertOne(db);
      const [{ endsBefore }] = await ranges();
      await vi.advanceTimersByTimeAsync(15_000);
      await vi.waitFor(async () => expect((await ranges())[0]?.endsBefore).toBeGreaterThan(endsBefore));
      await sql`update id_range set ends_before = ends_before + 1`.execute(open('sequence'));
      await vi.advanceTimersByTimeAsync(15_000);
      vi.useRealTimers();
      await vi.waitFor(async () => expect(await ranges()).toHaveLength(2));
      const second = await insertOne(db);
      expect(second % 1024).not.toBe(first % 1024);
      expect(second).toBeGreaterThan(first);
    });

    it('do not repeat when the clock is set back', async () => {
      const before = await insertMany(open(), 3);
      await handles.pop()?.destroy();
      // As if it had been a day ahead.
      await sql`update id_range set ends_before = ends_before + ${1440 * MINUTE * 4}`.execute(
        open('sequence'),
      );
      const db = open();
      const after = await insertMany(db, 3);
      await sql`update id_range set ends_before = 0 where node = 1`.execute(open('sequence'));
      const later = await insertMany(open(), 3);
      expect(new Set([...before, ...after, ...later]).size).toBe(9);
    });

    it('go on from what another program had reached when the clock is set back', async () => {
      const first = await insertOne(open());
      await handles.pop()?.destroy();
      // As if it had been a day ahead.
      const day = 1440 * MINUTE * 4;
      await sql`update id_range set reached_at = reached_at + ${day}`.execute(open('sequence'));
      expect(await insertOne(open())).toBeGreaterThan(first + day * 1024);
      expect(await insertOne(open())).toBeGreaterThan(first + day * 1024);
    });

    it('grow in one program while its clock goes back', async () => {
      const db = open();
      const first = await insertOne(db);
      vi.spyOn(performance, 'now').mockReturnValue(0);
      const others = await insertMany(db, 5);
      expect([first, ...others]).toEqual([first, ...others].toSorted((a, b) => a - b));
      expect(new Set([first, ...others]).size).toBe(6);
    });

    it('end when all that were reserved are used', async () => {
      const db = open();
      await insertOne(db);
      const take = () => {
        for (let count = 0; count <= MINUTE * 4; count += 1) db.ids?.next();
      };
      expect(take).toThrow(StoreUnavailableError);
      await expect(insertOne(db)).rejects.toThrow('no ids are reserved');
    });

    it('are not needed to read', async () => {
      const first = await insertOne(open());
      await sql`alter table id_range rename to gone`.execute(open('sequence'));
      const db = open();
      expect(await db.selectFrom('sampleProduct').select('id').execute()).toEqual([{ id: first }]);
      await expect(insertOne(db)).rejects.toThrow('no ids are reserved');
      await sql`alter table gone rename to id_range`.execute(open('sequence'));
      expect(await insertOne(db)).toBeGreaterThan(first);
    });

    it('are reserved again at once when the time of those that were reserved is over', async () => {
      const db = open();
      const first = await insertOne(db);
      const now = performance.now();
      vi.spyOn(performance, 'now').mockImplementation(() => now + 2 * MINUTE);
      expect(await insertOne(db)).toBeGreaterThan(first);
      expect((await ranges())[0].endsBefore * 1024).toBeGreaterThan(first + MINUTE * 4 * 1024);
    });

    it('stay reserved when the transaction that was first is rolled back', async () => {
      const db = open();
      const work = inTransaction(db, async (queries) => {
        await insert.one(queries, { sku: 'a', price: 1 });
        throw new Error('changed my mind');
      });
      await expect(work).rejects.toThrow('changed my mind');
      expect(await ranges()).toHaveLength(1);
      await insertOne(db);
    });

    it('need no sequence, and end the start of a program that wants one', async ({ skip }) => {
      skip(!isPostgres, 'SQLite has none');
      const db = open('sequence');
      const { rows } = await sql`select 1 from pg_class where relkind = 'S'`.execute(db);
      expect(rows).toEqual([]);
      await expect(checkIds(db)).rejects.toThrow(
        /have no sequences \(.*sample_owner.*\): set DATABASE_IDS=time/,
      );
    });

    it('are followed by those of a sequence on SQLite', async ({ skip }) => {
      skip(isPostgres);
      const first = await insertOne(open());
      const db = open('sequence');
      await checkIds(db);
      expect(await insertOne(db)).toBeGreaterThan(first);
    });
  });

  describe('in a store whose ids are of sequences', () => {
    beforeEach(() => migrate(open('sequence'), histories));

    it('need columns that take an id, and name those that do not', async ({ skip }) => {
      skip(!isPostgres, 'SQLite has none');
      const tables = ['sample_owner', 'sample_product'];
      for (const table of tables)
        await sql.raw(`alter table ${table} alter id set generated always`).execute(open('sequence'));
      await checkIds(open('sequence'));
      await migrate(open(), histories);
      const { message } = await checkIds(open()).then(
        () => new Error('it starts'),
        (error: Error) => error,
      );
      for (const table of tables)
        expect(message).toContain(`alter table ${table} alter id set generated by default;`);
      await sql.raw(message.split('`')[1]).execute(open('sequence'));
      await checkIds(open());
      expect(await insertOne(open())).toBeGreaterThan(2 ** 40);
    });

    it('follow those, once it is migrated for them, and sequences go on', async () => {
      const { id: first } = await open('sequence')
        .insertInto('sampleOwner')
        .values(anOwner('a'))
        .returning('id')
        .executeTakeFirstOrThrow();
      await expect(checkIds(open())).rejects.toThrow(/has no ids by time yet: run `.*migrate`/);
      expect(await migrate(open(), histories)).toEqual([]);
      await checkIds(open());
      const second = await insertOne(open());
      expect(second).toBeGreaterThan(first);
      const db = open('sequence');
      await checkIds(db);
      expect(await insertOne(db)).not.toBe(second);
    });
  });
});
