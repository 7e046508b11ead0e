import { sql } from 'kysely';
import { useMigratedDatabase } from './migrated-database';
import { baseSchema, sampleSchema } from './sample-schema';
import { undeclaredColumns } from './secrecy';

describe('the columns of the database', () => {
  const store = useMigratedDatabase();
  const tables = [...baseSchema.tables, ...sampleSchema.tables];

  it('are each declared with who may read them, and added by a migration', async () => {
    expect(await undeclaredColumns(store.db, tables)).toEqual([]);
  });

  it('are found if they are not', async () => {
    await sql`alter table sample_product add column note text`.execute(store.db);
    await sql`alter table sample_line drop column quantity`.execute(store.db);
    expect(await undeclaredColumns(store.db, tables)).toEqual(['sampleLine.quantity', 'sampleProduct.note']);
  });
});
