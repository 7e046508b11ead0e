import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { Client } from 'pg';
import { skipWithoutTools } from '../../../testing/postgres-tools';
import { runOnServer, temporaryDatabase, type TemporaryDatabase } from '../../../testing/temporary-database';
import { tenantSchema } from '../../../testing/tenant-schema';
import { backUp } from '../../backup/back-up';
import { restore } from '../../backup/restore';
import { type Database, openDatabase } from '../../database/database';
import { inTransaction } from '../../database/transaction';
import { PendingMigrationsError } from '../../errors';
import { migrate } from '../../migrations/migrate';
import { checkMigrations } from '../../migrations/migration-history';
import { checkPolicies } from '../../migrations/row-policies';
import { statement } from '../../statements/statement';
import { issueMembership } from '../../tenants/membership';
import { acrossTenants } from '../../tenants/tenant-exception';

const [first, second] = [issueMembership({ tenantId: 1 }), issueMembership({ tenantId: 2 })];
const all = acrossTenants('a test reads all tenants');
const titled = statement(({ title }: { title: string }, db) =>
  db.selectFrom('sampleProject').select(['tenantId', 'title']).where('title', '=', title),
);

describe.runIf(process.env.TEST_DATABASE_URL)('tenant tables with row policies (PostgreSQL)', () => {
  const role = `tenants_${randomBytes(6).toString('hex')}`;
  let database: TemporaryDatabase;
  let url: string;
  let db: Database;
  beforeAll(async () => {
    database = await temporaryDatabase();
    await runOnServer(database.url, `create role ${role} login password 'of a test'`);
    await runOnServer(database.url, `grant all on schema public to ${role}`);
    url = Object.assign(new URL(database.url), { username: role, password: 'of a test' }).href;
    db = openDatabase(url, { rowPolicies: 'by statement', poolSize: 1 });
    await migrate(db, [tenantSchema]);
    for (const membership of [first, second])
      await db
        .for(membership)
        .insertInto('sampleProject')
        .values({ id: 1, title: 'a plan', rank: 1 })
        .execute();
  });
  afterAll(async () => {
    await db.destroy();
    await runOnServer(database.url, `drop owned by ${role}`);
    await runOnServer(database.url, `drop role ${role}`);
    await database.remove();
  });

  /** Reads the tenants of all rows as a statement does that bypassed the handles. */
  async function readTenants(tenant?: string): Promise<readonly unknown[]> {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      if (tenant !== undefined) await client.query(`set sluice.tenant = '${tenant}'`);
      const { rows } = await client.query('select tenant_id as tenant from sample_project order by 1');
      return rows.map((row) => Number(row.tenant));
    } finally {
      await client.end();
    }
  }

  it('show a statement that bypassed the handles no row, or the rows of the tenant in its setting', async () => {
    expect(await Promise.all([readTenants(), readTenants('id:2'), readTenants('all')])).toEqual([
      [],
      [2],
      [1, 2],
    ]);
  });

  it('show each handle the rows of its tenant, on one connection after another', async () => {
    const read = (membership: typeof first) => titled.all(db.for(membership), { title: 'a plan' });
    expect([await read(first), await read(second)]).toEqual([
      [{ tenantId: 1, title: 'a plan' }],
      [{ tenantId: 2, title: 'a plan' }],
    ]);
    expect(await titled.all(db.acrossTenants(all), { title: 'a plan' })).toHaveLength(2);
    expect((await sql`select current_setting('sluice.tenant', true) as "tenant"`.execute(db)).rows).toEqual([
      { tenant: '' },
    ]);
  });

  it('follow the handles of a transaction, and keep nothing of a transaction that was rolled back', async () => {
    const rename = inTransaction(db, async (transaction) => {
      const { numUpdatedRows } = await transaction
        .for(first)
        .updateTable('sampleProject')
        .set({ title: 'renamed' })
        .executeTakeFirstOrThrow();
      expect(numUpdatedRows).toBe(1n);
      expect(await titled.all(transaction.for(second), { title: 'a plan' })).toHaveLength(1);
      expect(await titled.all(transaction.for(first), { title: 'renamed' })).toHaveLength(1);
      throw new Error('rolled back');
    });
    await expect(rename).rejects.toThrow('rolled back');
    expect(await titled.all(db.acrossTenants(all), { title: 'a plan' })).toHaveLength(2);
  });

  it('refuse a row of a foreign tenant', async () => {
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.query("set sluice.tenant = 'id:1'");
    const inserted = client.query("insert into sample_project values (9, 2, 'a plan', 1)");
    await expect(inserted).rejects.toThrow('row-level security');
    await client.end();
  });

  it('end a statement that fails, and keep its connection', async () => {
    const doubled = db.for(first).insertInto('sampleProject').values({ id: 1, title: '', rank: 1 }).execute();
    await expect(doubled).rejects.toThrow('sample_project_pkey');
    expect(await titled.all(db.for(first), { title: 'a plan' })).toHaveLength(1);
  });

  it('are removed and added by migrations, and a check names them', async () => {
    const without = openDatabase(url);
    await expect(checkMigrations(without, [tenantSchema])).rejects.toThrow(PendingMigrationsError);
    await expect(checkMigrations(without, [tenantSchema])).rejects.toThrow(
      'removed row policy of sample_task',
    );
    await expect(checkPolicies(without, [tenantSchema])).rejects.toThrow('removed row policy of sample_task');
    await migrate(without, [tenantSchema]);
    await checkMigrations(without, [tenantSchema]);
    expect(await readTenants()).toEqual([1, 2]);
    await without.destroy();

    await expect(checkMigrations(db, [tenantSchema])).rejects.toThrow('row policy of sample_project');
    await Promise.all([migrate(db, [tenantSchema]), migrate(db, [tenantSchema])]);
    await checkMigrations(db, [tenantSchema]);
    expect(await readTenants()).toEqual([]);
  });

  it('leave no row out of a backup', async ({ skip }) => {
    await skipWithoutTools(skip, db);
    const folder = mkdtempSync(join(tmpdir(), 'sluice-backup-'));
    await backUp(db, join(folder, 'backup'));
    await db.for(first).deleteFrom('sampleProject').execute();
    await db.destroy();
    await restore(openDatabase(url), join(folder, 'backup'));
    rmSync(folder, { recursive: true });
    db = openDatabase(url, { rowPolicies: 'by statement', poolSize: 1 });
    expect([await readTenants(), await readTenants('all')]).toEqual([[], [1, 2]]);
  });

  it('are refused for a role that bypasses them', async () => {
    await checkPolicies(db, [tenantSchema]);
    const privileged = openDatabase(database.url, { rowPolicies: 'by statement' });
    await expect(checkPolicies(privileged, [tenantSchema])).rejects.toThrow(
      'TENANT_ROW_SECURITY=on has no effect',
    );
    await privileged.destroy();
  });
});
