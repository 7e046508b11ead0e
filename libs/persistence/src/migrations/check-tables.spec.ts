import { sql } from 'kysely';
import { baseSchema, sampleSchema } from '../../testing/sample-schema';
import { temporaryDatabase, type TemporaryDatabase } from '../../testing/temporary-database';
import { type Database, openDatabase } from '../database/database';
import { checkTables } from './check-tables';
import { migrate } from './migrate';
import { runMigrateCommand } from './migrate-command';

describe('tables that somebody has changed by hand', () => {
  const histories = [baseSchema, sampleSchema];
  let database: TemporaryDatabase;
  let db: Database;
  beforeEach(async () => {
    database = await temporaryDatabase();
    db = openDatabase(database.url);
    await migrate(db, histories);
  });
  afterEach(async () => {
    await db.destroy();
    await database.remove();
  });

  it.each([
    ['drop table sample_line', 'sample_line.basket_id, sample_line.position'],
    ['alter table sample_line drop column quantity', 'sample_line.quantity'],
  ])('are found by each check: %s', async (change, columns) => {
    await expect(checkTables(db, histories)).resolves.toBeUndefined();
    await sql.raw(change).execute(db);

    const message = new RegExp(`^the database lacks ${columns}`);
    await expect(checkTables(db, histories)).rejects.toThrow(message);
    await expect(runMigrateCommand(db, ['--check'], histories)).rejects.toThrow(message);
    await expect(migrate(db, histories)).rejects.toThrow(message);
  });

  it('name the migrations of their table, of which one may have been edited', async () => {
    await sql`alter table sample_product drop column name`.execute(db);
    await expect(checkTables(db, histories)).rejects.toThrow(
      'the database lacks sample_product.name, although the migrations of the tables have run (sample/0001-products): if one of them was edited or is missing, add a migration',
    );
  });

  it('are not created again if the row of their migration is missing', async () => {
    await sql`delete from migration_of_sample where name = '0003-articles'`.execute(db);
    await expect(migrate(db, histories)).rejects.toThrow(
      /^the migration sample\/0003-articles creates what exists \(.*already exists.*insert its row/,
    );
  });

  it('are not compared while migrations are pending', async () => {
    const pending = {
      owner: sampleSchema.owner,
      tables: sampleSchema.tables,
      migrations: { ...sampleSchema.migrations, '0009-z': { apply: async () => {} } },
    };
    await sql`drop table sample_line`.execute(db);
    await expect(checkTables(db, [baseSchema, pending])).resolves.toBeUndefined();
  });
});
