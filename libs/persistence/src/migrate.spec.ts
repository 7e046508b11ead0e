import { once } from 'node:events';
import { sql } from 'kysely';
import { startProgram } from '../testing/child-program';
import { useMigratedDatabase } from '../testing/migrated-database';
import { migrateToNextRelease, nextRelease } from '../testing/next-release';
import { temporaryDatabase, type TemporaryDatabase } from '../testing/temporary-database';
import { type Database, openDatabase } from './database';
import { NewerDatabaseError, PendingMigrationsError } from './errors';
import { migrate } from './migrate';
import { checkMigrations, listMigrations } from './migration-history';
import { concurrentIndex } from './migrations/concurrent-index';
import { type Migration } from './migrations/migration';
import { migrations } from './migrations/migrations';

/** What a migration of the next release names, to allow programs of this one. */
const newest = Object.keys(migrations).at(-1) ?? '';

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
    await Promise.all(Array.from({ length: 6 }, () => migrate(open())));

    expect(await applied(open())).toEqual(Object.keys(migrations));
  });

  it('succeeds for each of several programs that start at once', async () => {
    const programs = Array.from({ length: 4 }, () => startProgram('migrator.program.ts', database.url));
    const codes = await Promise.all(programs.map(async (program) => (await once(program, 'exit'))[0]));

    expect(codes).toEqual([0, 0, 0, 0]);
    expect(await applied(open())).toEqual(Object.keys(migrations));
  });

  describe.runIf(process.env.TEST_DATABASE_URL)('on a server whose advisory locks exclude nobody', () => {
    it('is refused', async () => {
      const server = open();
      await sql`create function public.pg_try_advisory_lock(bigint) returns boolean language sql as 'select true'`.execute(
        server,
      );
      const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(server);
      await sql`alter database ${sql.id(rows[0].name)} set search_path = public, pg_catalog`.execute(server);

      await expect(migrate(open())).rejects.toThrow(/^store unavailable: advisory locks of this server/);
      expect(await open().introspection.getTables()).toEqual([]);
    });
  });

  it('rolls back the migration that fails, and keeps those before it', async () => {
    const db = open();
    const failing = migrate(db, {
      ...migrations,
      '9998-whole': addTable('whole'),
      '9999-half': {
        apply: async ({ schema }) => {
          await schema.createTable('half').addColumn('id', 'integer').execute();
          throw new Error('the second half is missing');
        },
        runsSince: '9999-half',
      },
    });

    await expect(failing).rejects.toThrow('the second half is missing');
    expect(await applied(db)).toEqual([...Object.keys(migrations), '9998-whole']);
    await sql`select * from whole`.execute(db);
    await expect(sql`select * from half`.execute(db)).rejects.toThrow(/half/);
  });

  it('says which migrations it has applied', async () => {
    expect(await migrate(open())).toEqual(Object.keys(migrations));
    expect(await migrate(open())).toEqual([]);
  });
});

describe('migrating a database that was migrated before', () => {
  const store = useMigratedDatabase();

  it('changes nothing', async () => {
    await store.db.insertInto('item').values({ sku: 'a', name: 'a', price: 1 }).execute();

    await migrate(store.db);

    expect(await store.db.selectFrom('item').select('sku').execute()).toEqual([{ sku: 'a' }]);
  });

  it('applies the pending migrations', async () => {
    await migrate(store.db, { ...migrations, '9999-note': addColumn('item', 'note') });

    expect(await applied(store.db)).toEqual([...Object.keys(migrations), '9999-note']);
    await sql`select note from item`.execute(store.db);
  });

  it('adds to the list of an older release what that did not store', async () => {
    await sql`alter table schema_migration drop column runs_since`.execute(store.db);

    expect((await listMigrations(store.db)).every(({ state }) => state === 'applied')).toBe(true);
    await migrate(store.db, { ...migrations, '9999-note': addColumn('item', 'note') });

    expect(await applied(store.db)).toEqual([...Object.keys(migrations), '9999-note']);
  });

  it('builds an index anew after an interrupted build', async () => {
    const index = concurrentIndex({ name: 'item_name', table: 'item', columns: ['name'] });
    const next = { ...migrations, '9999-item-name': { ...index, runsSince: newest } };
    await sql`create index item_name on item (price)`.execute(store.db);

    await migrate(store.db, next);

    const { rows } = await sql`select 1 from schema_migration where name = '9999-item-name'`.execute(
      store.db,
    );
    expect(rows).toHaveLength(1);
    expect(await migrate(store.db, next)).toEqual([]);
    await expect(sql`create index item_name on item (name)`.execute(store.db)).rejects.toThrow(/item_name/);
  });

  it('does not break statements that were prepared before a column was added', async () => {
    const read = (): Promise<unknown> => store.db.selectFrom('item').selectAll().execute();
    await store.db.insertInto('item').values({ sku: 'a', name: 'a', price: 1 }).execute();
    await read();

    await sql`alter table item add column note text`.execute(store.openAnother());

    expect(await read()).toEqual([expect.objectContaining({ sku: 'a', note: null })]);
    expect(await read()).toEqual([expect.objectContaining({ sku: 'a', note: null })]);
  });
});

describe('a database that the next release has migrated', () => {
  const store = useMigratedDatabase();

  it('is used by programs of this release that are running', async () => {
    const here = store.openAnother();
    const items = () => here.selectFrom('item').select('sku').orderBy('id').execute();
    await here.insertInto('item').values({ sku: 'a', name: 'a', price: 1 }).execute();
    expect(await items()).toEqual([{ sku: 'a' }]);

    await migrateToNextRelease(store.db);
    await sql`insert into item (sku, name, price, note) values ('b', 'b', 2, 'new')`.execute(store.db);
    await here.insertInto('item').values({ sku: 'c', name: 'c', price: 3 }).execute();

    expect(await items()).toEqual([{ sku: 'a' }, { sku: 'b' }, { sku: 'c' }]);
  });

  it('starts programs of this release, if all of its migrations allow them', async () => {
    await migrateToNextRelease(store.db);

    expect(await migrate(store.openAnother())).toEqual([]);
    await expect(checkMigrations(store.db)).resolves.toBeUndefined();
    expect((await listMigrations(store.db)).slice(-3)).toMatchObject([
      { name: '9997-note', state: 'of a newer release' },
      { name: '9998-tag', state: 'of a newer release' },
      { name: '9999-item-name', state: 'of a newer release' },
    ]);
  });

  it('rejects programs of the release before that, which the last migration no longer allows', async () => {
    await migrate(store.db, { ...nextRelease, '9999-z': { ...addTable('other'), runsSince: '9998-tag' } });

    const refused = migrate(store.db);

    await expect(refused).rejects.toThrow(NewerDatabaseError);
    await expect(refused).rejects.toThrow(/newer release \(9999-z\)/);
    await expect(checkMigrations(store.db)).rejects.toThrow(NewerDatabaseError);
  });

  it('rejects programs if a migration was stored without saying whom it allows', async () => {
    await sql`insert into schema_migration (name, applied_at) select '0999-old', applied_at from schema_migration limit 1`.execute(
      store.db,
    );

    await expect(migrate(store.db)).rejects.toThrow(/newer release \(0999-old\)/);
  });
});

describe('checking an empty database', () => {
  it('names what it lacks, and changes nothing', async () => {
    const database = await temporaryDatabase();
    const db = openDatabase(database.url);

    await expect(checkMigrations(db)).rejects.toThrow(PendingMigrationsError);
    await expect(checkMigrations(db)).rejects.toThrow(/0001-first-tables, .*: run `npm run migrate`/);
    expect((await listMigrations(db)).every(({ state }) => state === 'pending')).toBe(true);
    expect(await db.introspection.getTables()).toEqual([]);

    await db.destroy();
    await database.remove();
  });
});

describe.runIf(process.env.TEST_DATABASE_URL !== undefined)('a table in use (needs PostgreSQL)', () => {
  const store = useMigratedDatabase();

  it('is migrated when it is free, and is read in between by others', async () => {
    const reader = store.openAnother();
    let migrating: Promise<readonly string[]> | undefined;
    await reader.transaction().execute(async (transaction) => {
      await transaction.selectFrom('item').select('id').execute();
      migrating = migrate(store.db, { ...migrations, '9999-note': addColumn('item', 'note') });
      // The first attempt has locked other queries out, and has given up.
      await seen(store.db, true);
      await seen(store.db, false);
      await store.db.selectFrom('item').select('id').execute();
    });

    expect(await migrating).toEqual(['9999-note']);
  });
});

/** Waits until a statement waits for the table, or until none does. */
async function seen(db: Database, isWaiting: boolean): Promise<void> {
  for (;;) {
    const { rows } = await sql`
      select 1 from pg_locks where relation = 'item'::regclass and not granted
    `.execute(db);
    if (rows.length > 0 === isWaiting) return;
  }
}

function addTable(name: string): Migration {
  return {
    apply: ({ schema }, { integer, id }) => schema.createTable(name).addColumn('id', integer, id).execute(),
    runsSince: newest,
  };
}

function addColumn(table: string, name: string): Migration {
  return {
    apply: ({ schema }, { text }) => schema.alterTable(table).addColumn(name, text).execute(),
    runsSince: newest,
  };
}

async function applied(db: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from schema_migration order by name`.execute(db);
  return rows.map(({ name }) => name);
}
