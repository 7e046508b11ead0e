import { once } from 'node:events';
import { sql } from 'kysely';
import { startProgram } from '../../testing/child-program';
import { useMigratedDatabase } from '../../testing/migrated-database';
import { followedBy, nextReleaseOf } from '../../testing/next-release';
import { baseSchema, sampleSchema } from '../../testing/sample-schema';
import { temporaryDatabase, type TemporaryDatabase } from '../../testing/temporary-database';
import { type Database, openDatabase } from '../database/database';
import { inTransaction } from '../database/transaction';
import { LockingAdapter } from '../dialects/postgres/locking-adapter';
import { NewerDatabaseError, PendingMigrationsError, UnreleasedDatabaseError } from '../errors';
import { migrate } from './migrate';
import { checkMigrations, listMigrations } from './migration-history';
import { storedIn } from './stored-migrations';
import { concurrentIndex } from '../schema/concurrent-index';
import { type Migration, type MigrationHistory, type Migrations } from '../schema/migration';

const histories = [baseSchema, sampleSchema];
const names = histories.flatMap(({ owner, migrations }) =>
  Object.keys(migrations).map((name) => `${owner}/${name}`),
);
const nextRelease = nextReleaseOf(baseSchema, 'sample_owner');
const nextOfSample = followedBy(sampleSchema, { '9999-note': addColumn('sample_product', 'note') });
/** The history with the next release's migrations. */
const withNext = (next: Migrations) => [baseSchema, followedBy(sampleSchema, next)];

describe('migrating an empty database', () => {
  let database: TemporaryDatabase;
  const handles: Database[] = [];
  const open = (): Database => {
    const db = openDatabase(database.url);
    handles.push(db);
    return db;
  };

  beforeEach(async () => {
    database = await temporaryDatabase();
  });
  afterEach(async () => {
    await Promise.all(handles.splice(0).map((db) => db.destroy()));
    await database.remove();
  });

  it('succeeds for each of several handles that start at once', async () => {
    await Promise.all(Array.from({ length: 6 }, () => migrate(open(), histories)));

    expect(await applied(open())).toEqual(names);
  });

  it('succeeds for each of several programs that start at once', async () => {
    const programs = Array.from({ length: 4 }, () => startProgram('migrator.program.ts', database.url));
    const codes = await Promise.all(programs.map(async (program) => (await once(program, 'exit'))[0]));

    expect(codes).toEqual([0, 0, 0, 0]);
    expect(await applied(open())).toEqual(names);
  });

  describe.runIf(process.env.TEST_DATABASE_URL)('with the lock of another program', () => {
    it('waits until it is released', async () => {
      await migrate(open(), [baseSchema]);
      const second = open();
      const attempts = vi.spyOn(LockingAdapter.prototype, 'acquireMigrationLock');
      const migrating = await second.connection().execute(async (connection) => {
        const adapter = new LockingAdapter();
        await adapter.acquireMigrationLock(connection);
        const running = migrate(open(), histories);
        await vi.waitFor(() => expect(attempts.mock.calls.length).toBeGreaterThan(1));
        expect(await applied(open())).toEqual(['base/0001-owners']);
        await adapter.releaseMigrationLock(connection);
        return running;
      });
      attempts.mockRestore();
      expect(migrating).toEqual(names.slice(1));
    });

    it('goes on if that one has ended', async () => {
      await migrate(open(), [baseSchema]);
      const second = open();
      await second
        .connection()
        .execute((connection) => new LockingAdapter().acquireMigrationLock(connection));
      await second.destroy();
      expect(await migrate(open(), histories)).toEqual(names.slice(1));
    });
  });

  it('applies nothing of a history that begins if one of its migrations fails', async () => {
    const db = open();
    const half = { apply: () => Promise.reject(new Error('the second half is missing')) };

    await expect(migrate(db, withNext({ '9999-half': half }))).rejects.toThrow('the second half is missing');
    expect(await applied(db)).toEqual(names.slice(0, 1));
    await expect(sql`select * from sample_product`.execute(db)).rejects.toThrow(/sample_product/);
  });

  it('says which migrations it has applied', async () => {
    expect(await migrate(open(), histories)).toEqual(names);
    expect(await migrate(open(), histories)).toEqual([]);
  });
});

describe('migrating a database that was migrated before', () => {
  const store = useMigratedDatabase();

  it('changes nothing', async () => {
    await store.db.insertInto('sampleProduct').values({ sku: 'a', name: 'a', price: 1 }).execute();

    await migrate(store.db, histories);

    expect(await store.db.selectFrom('sampleProduct').select('sku').execute()).toEqual([{ sku: 'a' }]);
  });

  it('applies the pending migrations', async () => {
    await migrate(store.db, withNext({ '9999-note': addColumn('sample_product', 'note') }));

    expect(await applied(store.db)).toEqual([...names, 'sample/9999-note']);
    await sql`select note from sample_product`.execute(store.db);
  });

  it('rolls back the migration that fails, and keeps those before it', async () => {
    const { db } = store;
    const next = withNext({
      '9998-whole': addTable('whole'),
      '9999-half': {
        apply: async ({ schema }) => {
          await schema.createTable('half').addColumn('id', 'integer').execute();
          throw new Error('the second half is missing');
        },
      },
    });

    await expect(migrate(db, next)).rejects.toThrow('the second half is missing');
    expect(await applied(db)).toEqual([...names, 'sample/9998-whole']);
    await sql`select * from whole`.execute(db);
    await expect(sql`select * from half`.execute(db)).rejects.toThrow(/half/);
  });

  it('builds an index anew after an interrupted build', async () => {
    const index = concurrentIndex({ name: 'item_name', table: 'sample_product', columns: ['name'] });
    const next = withNext({ '9999-item-name': index });
    await sql`create index item_name on sample_product (price)`.execute(store.db);

    await migrate(store.db, next);

    expect(await applied(store.db)).toContain('sample/9999-item-name');
    expect(await migrate(store.db, next)).toEqual([]);
    await expect(sql`create index item_name on sample_product (name)`.execute(store.db)).rejects.toThrow(
      /item_name/,
    );
  });

  it('does not break statements that were prepared before a column was added', async () => {
    const read = (): Promise<unknown> => store.db.selectFrom('sampleProduct').selectAll().execute();
    await store.db.insertInto('sampleProduct').values({ sku: 'a', name: 'a', price: 1 }).execute();
    await read();

    await sql`alter table sample_product add column note text`.execute(store.openAnother());

    expect(await read()).toEqual([expect.objectContaining({ sku: 'a', note: null })]);
    expect(await read()).toEqual([expect.objectContaining({ sku: 'a', note: null })]);
  });
});

describe('a database that the next release has migrated', () => {
  const store = useMigratedDatabase();

  it('is used by programs of this release that are running', async () => {
    const here = store.openAnother();
    const items = () => here.selectFrom('sampleProduct').select('sku').orderBy('id').execute();
    await here.insertInto('sampleProduct').values({ sku: 'a', name: 'a', price: 1 }).execute();
    expect(await items()).toEqual([{ sku: 'a' }]);

    await migrate(store.db, [nextRelease, nextOfSample]);
    await sql`insert into sample_product (id, sku, name, price, note) values (0, 'b', 'b', 2, 'new')`.execute(
      store.db,
    );
    await here.insertInto('sampleProduct').values({ sku: 'c', name: 'c', price: 3 }).execute();

    expect(await items()).toEqual([{ sku: 'b' }, { sku: 'a' }, { sku: 'c' }]);
  });

  it('starts programs of this release, if all of its migrations allow them', async () => {
    await migrate(store.db, [nextRelease, nextOfSample]);

    expect(await migrate(store.openAnother(), histories)).toEqual([]);
    await expect(checkMigrations(store.db, histories)).resolves.toBeUndefined();
    const states = await listMigrations(store.db, histories);
    expect(states.filter(({ state }) => state === 'of a newer release').map(({ name }) => name)).toEqual([
      'base/9997-note',
      'base/9998-tag',
      'base/9999-logins',
      'sample/9999-note',
    ]);
  });

  it('rejects programs of the release before that, which the last migration no longer allows', async () => {
    const last = { '9999-z': { ...addTable('other'), runsSince: '9998-tag' } };
    await migrate(store.db, [followedBy(nextRelease, last)]);

    const refused = migrate(store.db, [baseSchema]);

    await expect(refused).rejects.toThrow(NewerDatabaseError);
    await expect(refused).rejects.toThrow(/newer release \(base\/9999-z\)/);
    await expect(checkMigrations(store.db, [baseSchema])).rejects.toThrow(NewerDatabaseError);
  });
});

describe('a database that two applications share', () => {
  const store = useMigratedDatabase();
  const otherHistory = (migrations: Migrations): MigrationHistory => ({ owner: 'other', migrations });
  const first = { '0001-products': addTable('other_product') };

  it('has a history for each, in which names may be the same', async () => {
    expect(await migrate(store.db, [baseSchema, otherHistory(first)])).toEqual(['other/0001-products']);
    expect(await migrate(store.db, histories)).toEqual([]);
    expect(await applied(store.db)).toEqual([names[0], 'other/0001-products', ...names.slice(1)]);
  });

  it('starts one of them, whatever a newer release of the other has done to its own tables', async () => {
    const next = { '9999-z': { ...addTable('other_thing'), runsSince: '9999-z' } };
    await migrate(store.db, [baseSchema, otherHistory({ ...first, ...next })]);

    await expect(migrate(store.db, [baseSchema, otherHistory(first)])).rejects.toThrow(
      /newer release \(other\/9999-z\)/,
    );
    expect(await migrate(store.db, histories)).toEqual([]);
    await expect(checkMigrations(store.db, [baseSchema])).resolves.toBeUndefined();
  });

  it('starts a release of an application that had no tables, if those it got later only add', async () => {
    await migrate(store.db, [baseSchema, otherHistory(first)]);

    expect(await migrate(store.db, [baseSchema, otherHistory({})])).toEqual([]);
  });
});

describe('a database of before the first release', () => {
  const store = useMigratedDatabase();

  it('is refused, unchanged, with what to do', async () => {
    await sql`update migration_of_base set name = '0001-first-tables'`.execute(store.db);
    const before = await applied(store.db);

    await expect(migrate(store.db, [baseSchema])).rejects.toThrow(UnreleasedDatabaseError);
    await expect(checkMigrations(store.db, [baseSchema])).rejects.toThrow(
      /before release 0\.1\.0.*GET \/users\/me\/export/,
    );
    expect(await applied(store.db)).toEqual(before);
  });

  it('is refused if its migrations have no owner', async () => {
    await sql`drop table migration_of_base`.execute(store.db);
    await sql`create table schema_migration (name text, applied_at integer, runs_since text)`.execute(
      store.db,
    );

    await expect(migrate(store.db, [baseSchema])).rejects.toThrow(UnreleasedDatabaseError);
  });
});

describe('checking an empty database', () => {
  it('names what it lacks, and changes nothing', async () => {
    const database = await temporaryDatabase();
    const db = openDatabase(database.url);

    await expect(checkMigrations(db, histories)).rejects.toThrow(PendingMigrationsError);
    await expect(checkMigrations(db, histories)).rejects.toThrow(
      /base\/0001-owners, sample\/.*: run `.* migrate`/,
    );
    expect((await listMigrations(db, histories)).every(({ state }) => state === 'pending')).toBe(true);
    expect(await db.introspection.getTables()).toEqual([]);

    await db.destroy();
    await database.remove();
  });
});

describe.runIf(process.env.TEST_DATABASE_URL !== undefined)('a table in use (needs PostgreSQL)', () => {
  const store = useMigratedDatabase();

  it('is migrated when it is free, and is read in between by others', async () => {
    const reader = store.openAnother();
    const [read, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const reading = inTransaction(reader, async (db) => {
      await db.selectFrom('sampleProduct').select('id').execute();
      read.resolve();
      await end.promise;
      // A commit may be answered by 40001, which is not what is tested.
      throw new Error('rolled back');
    });
    await read.promise;
    const migrating = migrate(store.db, withNext({ '9999-note': addColumn('sample_product', 'note') }));
    // The first attempt has locked other queries out, and has given up.
    await seen(store.db, true);
    await seen(store.db, false);
    await store.db.selectFrom('sampleProduct').select('id').execute();
    end.resolve();
    await expect(reading).rejects.toThrow('rolled back');

    expect(await migrating).toEqual(['sample/9999-note']);
  });
});

/** Waits until a statement waits for the table, or until none does. */
async function seen(db: Database, isWaiting: boolean): Promise<void> {
  for (;;) {
    const { rows } = await sql`
      select 1 from pg_locks where relation = 'sample_product'::regclass and not granted
    `.execute(db);
    if (rows.length > 0 === isWaiting) return;
  }
}

function addTable(name: string): Migration {
  return {
    apply: ({ schema }, { integer, id }) => schema.createTable(name).addColumn('id', integer, id).execute(),
  };
}

function addColumn(table: string, name: string): Migration {
  return {
    apply: ({ schema }, { text }) => schema.alterTable(table).addColumn(name, text).execute(),
  };
}

async function applied(db: Database): Promise<string[]> {
  const stored = await storedIn(db);
  return [...stored.applied]
    .flatMap(([owner, own]) => [...own.keys()].map((name) => `${owner}/${name}`))
    .toSorted();
}
