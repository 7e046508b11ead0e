import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { followedBy } from '../../testing/next-release';
import { baseSchema, sampleSchema } from '../../testing/sample-schema';
import { temporaryDatabase, type TemporaryDatabase } from '../../testing/temporary-database';
import { type Database, openDatabase } from '../database/database';
import { NewerDatabaseError } from '../errors';
import { migrate } from './migrate';
import { checkMigrations, listMigrations } from './migration-history';

const histories = [baseSchema, sampleSchema];
const note = {
  '9999-note': {
    apply: ({ schema }, { text }) => schema.alterTable('sample_product').addColumn('note', text).execute(),
  },
} satisfies Parameters<typeof followedBy>[1];

/** A database whose migrations are listed in a single table, as until 0.1.0. */
describe('a database of release 0.1.0', () => {
  let database: TemporaryDatabase;
  let db: Database;
  beforeEach(async () => {
    database = await temporaryDatabase();
    db = openDatabase(database.url);
    const file = join(__dirname, `../../testing/release-0.1.0/${db.dialect}.sql`);
    for (const statement of readFileSync(file, 'utf8').split(';\n').filter(Boolean))
      await sql.raw(statement).execute(db);
  });
  afterEach(async () => {
    await db.destroy();
    await database.remove();
  });

  it('has all migrations, before it is changed', async () => {
    await expect(checkMigrations(db, histories)).resolves.toBeUndefined();
    const states = await listMigrations(db, [baseSchema]);
    expect(states.map(({ name, state }) => [name, state])).toEqual([
      ['base/0001-owners', 'applied'],
      ['sample/0001-products', 'of another program'],
      ['sample/0002-baskets', 'of another program'],
      ['sample/0003-articles', 'of another program'],
    ]);
    expect(states[0].appliedAt?.toISOString()).toMatch(/^2026-11-27T17:2/);
  });

  it('keeps its rows, and gets what is pending', async () => {
    const before = await listMigrations(db, histories);
    expect(await migrate(db, [baseSchema, followedBy(sampleSchema, note)])).toEqual(['sample/9999-note']);

    expect(await db.selectFrom('sampleOwner').select(['id', 'email']).execute()).toEqual([
      { id: 1, email: 'Ada@example.com' },
    ]);
    expect(await db.selectFrom('sampleLine').selectAll().execute()).toEqual([
      { basketId: 1, position: 1, sku: 'tea', quantity: '2' },
    ]);
    const { rows } = await sql`select sku, note from sample_product`.execute(db);
    expect(rows).toEqual([{ sku: 'tea', note: null }]);
    expect((await listMigrations(db, histories)).slice(0, before.length)).toEqual(before);
  });

  it('is migrated once by programs that start at once', async () => {
    const others = Array.from({ length: 3 }, () => openDatabase(database.url));
    const applied = await Promise.all(
      others.map((handle) => migrate(handle, [baseSchema, followedBy(sampleSchema, note)])),
    );
    expect(applied.flat()).toEqual(['sample/9999-note']);
    await Promise.all(others.map((handle) => handle.destroy()));
  });

  it('still refuses the programs that its migrations do not allow', async () => {
    const insert = sql`insert into schema_migration values ('sample', '9999-z', ${sql.lit(db.dialect === 'sqlite' ? 1 : '2026-11-27')}, '9999-z')`;
    await insert.execute(db);
    await expect(migrate(db, histories)).rejects.toThrow(NewerDatabaseError);

    await migrate(db, [
      baseSchema,
      followedBy(sampleSchema, { '9999-z': { ...note['9999-note'], runsSince: '9999-z' } }),
    ]);
    await expect(migrate(db, histories)).rejects.toThrow(NewerDatabaseError);
  });

  it('keeps the list for programs of that release', async () => {
    await migrate(db, histories);
    const { rows } = await sql`select owner, name from schema_migration order by owner, name`.execute(db);
    expect(rows).toHaveLength(4);
  });
});
