import { sql } from 'kysely';
import { useMigratedDatabase } from '../../testing/migrated-database';
import { followedBy } from '../../testing/next-release';
import { onRecord } from '../../testing/record-step';
import { refuseTablesInTransactions } from '../../testing/restricted-store';
import { baseSchema, sampleSchema } from '../../testing/sample-schema';
import { type Migration } from '../schema/migration';
import { migrate } from './migrate';
import { MigrationSteps } from './migration-steps';

const canRun = process.env.TEST_DATABASE_URL !== undefined;

describe.runIf(canRun)('a migration on a store that does not roll tables back (needs PostgreSQL)', () => {
  const store = useMigratedDatabase();
  beforeEach(async () => {
    for (const statement of refuseTablesInTransactions) await sql.raw(statement).execute(store.db);
    await sql`insert into sample_product (id, sku, name, price) values (1, 'a', 'a', 1)`.execute(store.db);
  });
  afterEach(() => void vi.restoreAllMocks());

  const run = (next: Record<string, Migration>) =>
    migrate(store.db, [baseSchema, followedBy(sampleSchema, next)]);
  const of = (...statements: readonly string[]): Migration => ({
    apply: async (db) => {
      for (const statement of statements) await sql.raw(statement).execute(db);
    },
  });
  const killAt = (killed: number, isRecorded = false) =>
    onRecord(async (proceed, step) => {
      const isKilled = step.endsWith(` ${killed}`);
      if (isRecorded || !isKilled) await proceed();
      if (isKilled) throw new Error('killed');
    });
  const rows = async (query: string) => (await sql.raw(query).execute(store.db)).rows;

  it('changes rows once, whenever it was killed', async () => {
    const next = {
      '9999-prices': of(
        'alter table sample_product add column cents bigint',
        'update sample_product set price = price + 1',
        "insert into sample_product (id, sku, name, price) values (2, 'b', 'b', 7)",
        'update sample_product set cents = price * 100',
      ),
    };
    for (const [step, isRecorded] of [
      [0, false],
      [1, false],
      [1, true],
      [2, false],
      [3, false],
    ] as const) {
      killAt(step, isRecorded);
      await expect(run(next)).rejects.toThrow('killed');
      vi.restoreAllMocks();
    }
    expect(await run(next)).toEqual(['sample/9999-prices']);
    expect(await rows('select price, cents from sample_product order by id')).toEqual([
      { price: 2, cents: 200 },
      { price: 7, cents: 700 },
    ]);
    expect(await run(next)).toEqual([]);
  });

  it('goes on after what it has renamed and dropped', async () => {
    const next = {
      '9999-names': of(
        'alter table sample_product rename column name to title',
        'alter table sample_product add column note text',
        'alter table sample_product drop column note',
        'drop index if exists sample_none',
      ),
    };
    for (const step of [0, 2, 3]) {
      killAt(step);
      await expect(run(next)).rejects.toThrow('killed');
      vi.restoreAllMocks();
    }
    await run(next);
    expect(await rows('select id, sku, title, price from sample_product')).toEqual([
      { id: 1, sku: 'a', title: 'a', price: 1 },
    ]);
  });

  it('does not take a table of somebody else for its own', async () => {
    await sql`create table note (id bigint)`.execute(store.db);
    const next = {
      '9999-note': of('create table tag (id bigint)', 'create table note (id bigint primary key)'),
    };
    await expect(run(next)).rejects.toThrow('relation "note" already exists');
    expect(await rows('select owner, name, ended from migration_step')).toEqual([
      { owner: 'sample', name: '9999-note', ended: 1 },
    ]);
  });

  it('ends if another program has taken over', async () => {
    const next = { '9999-note': of('create table tag (id bigint)', 'create table note (id bigint)') };
    const spy = onRecord(async (proceed) => {
      await sql`update migration_step set ended = 1`.execute(store.db);
      await proceed();
    });
    await expect(run(next)).rejects.toThrow('another program is migrating it');
    spy.mockRestore();
    expect(await run(next)).toEqual(['sample/9999-note']);
  });
});

describe.runIf(canRun)('a migration on PostgreSQL', () => {
  const store = useMigratedDatabase();

  it('is one transaction, of which no steps are recorded', async () => {
    const run = vi.spyOn(MigrationSteps.prototype, 'run');
    const tag: Migration = {
      apply: ({ schema }) => schema.createTable('tag').addColumn('id', 'bigint').execute(),
    };
    await migrate(store.db, [baseSchema, followedBy(sampleSchema, { '9999-tag': tag })]);
    expect(run).not.toHaveBeenCalled();
    run.mockRestore();
    const tables = await store.db.introspection.getTables();
    expect(tables.filter(({ name }) => /migration_(?:step|probe)/.test(name))).toEqual([]);
  });
});
