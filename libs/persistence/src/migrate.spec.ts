import { once } from 'node:events';
import { sql } from 'kysely';
import { startProgram } from '../testing/child-program';
import { useMigratedDatabase } from '../testing/migrated-database';
import { temporaryDatabase, type TemporaryDatabase } from '../testing/temporary-database';
import { type Database, openDatabase } from './database';
import { NewerDatabaseError } from './errors';
import { migrate } from './migrate';
import { migrations } from './migrations/migrations';

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

  it('rolls back all migrations when one fails', async () => {
    const db = open();
    const failing = migrate(db, {
      ...migrations,
      '0002-half': async ({ schema }) => {
        await schema.createTable('half').addColumn('id', 'integer').execute();
        throw new Error('the second half is missing');
      },
    });

    await expect(failing).rejects.toThrow('the second half is missing');
    await expect(db.selectFrom('account').select('id').execute()).rejects.toThrow(/account/);
    await migrate(db);
    await expect(sql`select * from half`.execute(db)).rejects.toThrow(/half/);
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
    await migrate(store.db, {
      ...migrations,
      '9999-note': async ({ schema }, { text }) => {
        await schema.alterTable('item').addColumn('note', text).execute();
      },
    });

    expect(await applied(store.db)).toEqual([...Object.keys(migrations), '9999-note']);
    await sql`select note from item`.execute(store.db);
  });

  it('rejects a database that a newer release has migrated, and names the unknown migrations', async () => {
    await migrate(store.db, { ...migrations, '0999-of-tomorrow': async () => {} });

    const refused = migrate(store.db);

    await expect(refused).rejects.toThrow(NewerDatabaseError);
    await expect(refused).rejects.toThrow(/newer release \(0999-of-tomorrow\)/);
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

async function applied(db: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from schema_migration order by name`.execute(db);
  return rows.map(({ name }) => name);
}
