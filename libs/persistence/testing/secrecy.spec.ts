import { sql } from 'kysely';
import { migrate } from '../src/migrations/migrate';
import { DatabaseSchema } from '../src/schema/database-schema';
import { useMigratedDatabase } from './migrated-database';
import { baseSchema, sampleSchema } from './sample-schema';
import { undeclaredColumns } from './secrecy';

describe('the columns of the database', () => {
  const store = useMigratedDatabase();
  const tables = [...baseSchema.tables, ...sampleSchema.tables];

  it('are each declared with who may read them, and added by a migration', async () => {
    expect(await undeclaredColumns(store.db, tables)).toEqual([]);
  });

  it('are those of the tables that the database has', async () => {
    const otherDialect = store.db.dialect === 'sqlite' ? 'postgres' : 'sqlite';
    const elsewhere = {
      name: 'elsewhere',
      secrecy: { id: 'open' },
      exported: 'nothing of an account',
      dialect: otherDialect,
    } as const;
    const failing = { apply: () => Promise.reject(new Error('applied')) };
    const schema = new DatabaseSchema('elsewhere', [
      { ...elsewhere, migrations: { '0001-elsewhere': failing } },
    ]);
    await migrate(store.db, [baseSchema, sampleSchema, schema]);
    expect(await undeclaredColumns(store.db, [...tables, elsewhere])).toEqual([]);
    if (store.db.dialect !== 'sqlite') return;
    await sql`create virtual table note_text using fts5(title)`.execute(store.db);
    expect(await undeclaredColumns(store.db, tables)).toEqual([]);
  });

  it('are found if they are not', async () => {
    await sql`alter table sample_product add column note text`.execute(store.db);
    await sql`alter table sample_line drop column quantity`.execute(store.db);
    expect(await undeclaredColumns(store.db, tables)).toEqual(['sampleLine.quantity', 'sampleProduct.note']);
  });
});
