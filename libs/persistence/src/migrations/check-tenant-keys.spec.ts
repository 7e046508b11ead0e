import { sql } from 'kysely';
import { temporaryDatabase, type TemporaryDatabase } from '../../testing/temporary-database';
import { tenantSchema } from '../../testing/tenant-schema';
import { type Database, openDatabase } from '../database/database';
import { checkTables } from './check-tables';
import { migrate } from './migrate';

describe('the keys of tenant tables', () => {
  let database: TemporaryDatabase;
  let db: Database;
  beforeEach(async () => {
    database = await temporaryDatabase();
    db = openDatabase(database.url);
    await migrate(db, [tenantSchema]);
  });
  afterEach(async () => {
    await db.destroy();
    await database.remove();
  });

  const change = async (...statements: readonly string[]): Promise<void> => {
    const handle = db.forMigrations();
    for (const statement of statements) await sql.raw(statement).execute(handle);
    await handle.destroy();
  };

  it('are refused unless unique keys begin with the tenant column', async () => {
    await change('create unique index sample_project_title on sample_project (title)');
    await expect(checkTables(db, [tenantSchema])).rejects.toThrow(
      'the unique key (title) of sample_project does not begin with tenant_id',
    );
  });

  it('are refused unless foreign keys to tenant tables include the tenant column', async () => {
    await change(
      'create unique index sample_project_rank on sample_project (rank)',
      'alter table sample_task add column ranked integer references sample_project (rank)',
    );
    await expect(checkTables(db, [tenantSchema])).rejects.toThrow(
      'the foreign key (ranked) of sample_task to sample_project lacks tenant_id',
    );
  });

  it('may refer to tables without tenants by a single column', async () => {
    await change('alter table sample_task add column parent_id integer references sample_tenant (id)');
    await expect(checkTables(db, [tenantSchema])).resolves.toBeUndefined();
  });
});
