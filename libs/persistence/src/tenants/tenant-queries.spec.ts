import { CamelCasePlugin, CompiledQuery, Kysely, sql, type SqlBool } from 'kysely';
import { useMigratedDatabase } from '../../testing/migrated-database';
import { tenantSchema } from '../../testing/tenant-schema';
import { inTransaction } from '../database/transaction';
import { type Database, openDatabase } from '../database/database';
import { TenantTableError } from '../errors';
import { statement } from '../statements/statement';
import { issueMembership, type Membership } from './membership';
import { type Queries } from './queries';
import { acrossTenants } from './tenant-exception';

const [first, second] = [issueMembership({ tenantId: 1 }), issueMembership({ tenantId: 2 })];
const everything = acrossTenants('compares the rows of tenants');

const project = (id: number, title = `project ${id}`) => ({ id, title, rank: id });

const titled = statement(({ title }: { title: string }, db) =>
  db.selectFrom('sampleProject').select(['id', 'tenantId']).where('title', '=', title),
);
const insert = statement(({ id, title }: { id: number; title: string }, db) =>
  db.insertInto('sampleProject').values({ id, title, rank: 0 }),
);

describe('the ordinary handle of a database', () => {
  const store = useMigratedDatabase([tenantSchema]);

  it.each<[string, (db: Queries) => { compile(): unknown }]>([
    ['in from', (db) => db.selectFrom('sampleProject').selectAll()],
    ['in from', (db) => db.selectFrom('sampleProject as p').selectAll()],
    ['in from', (db) => db.selectFrom(['sampleTenant', 'sampleProject']).select('title')],
    [
      'in a join',
      (db) =>
        db
          .selectFrom('sampleTenant')
          .leftJoin('sampleTask as t', 't.tenantId', 'sampleTenant.id')
          .select('note'),
    ],
    [
      'in from',
      (db) =>
        db
          .selectFrom('sampleTenant')
          .select('id')
          .where('id', 'in', (is) => is.selectFrom('sampleTask').select('tenantId')),
    ],
    [
      'in from',
      (db) =>
        db
          .selectFrom('sampleTenant')
          .select((row) => row.selectFrom('sampleTask').select('note').limit(1).as('note')),
    ],
    [
      'in from',
      (db) =>
        db
          .with('tasks', (make) => make.selectFrom('sampleTask').select('note'))
          .selectFrom('tasks')
          .selectAll(),
    ],
    [
      'in from',
      (db) => db.selectFrom('sampleTenant').select('id').union(db.selectFrom('sampleTask').select('id')),
    ],
    ['in an insert', (db) => db.insertInto('sampleProject').values(project(1))],
    [
      'in from',
      (db) =>
        db
          .insertInto('copiedTask')
          .columns(['id', 'tenantId', 'projectId'])
          .expression((from) => from.selectFrom('sampleTask').select(['id', 'tenantId', 'projectId'])),
    ],
    ['in an update', (db) => db.updateTable('sampleProject').set({ title: 'a' })],
    ['in from', (db) => db.updateTable('sampleTenant').set({ name: 'a' }).from('sampleProject')],
    ['in a delete', (db) => db.deleteFrom('sampleProject')],
    ['in using', (db) => db.deleteFrom('sampleTenant').using('sampleProject')],
    [
      'in a merge',
      (db) =>
        db
          .mergeInto('sampleProject')
          .using('sampleTenant', 'sampleTenant.id', 'sampleProject.tenantId')
          .whenMatched()
          .thenDelete(),
    ],
    [
      'in a join',
      (db) =>
        db
          .mergeInto('sampleTenant')
          .using('sampleProject', 'sampleTenant.id', 'sampleProject.tenantId')
          .whenMatched()
          .thenDelete(),
    ],
    [
      'in sql',
      (db) =>
        db.selectFrom('sampleTenant').select(sql`(select 1 from ${sql.table('sampleProject')} as p)`.as('a')),
    ],
    [
      'in the text of sql',
      (db) => db.selectFrom('sampleTenant').select(sql`(select 1 from sample_project)`.as('a')),
    ],
    [
      'in the text of sql',
      (db) => db.selectFrom('sampleTenant').select(sql`(select 1 from ${sql.id('sample_project')})`.as('a')),
    ],
    [
      'in the text of sql',
      (db) => db.selectFrom('sampleTenant').select(sql`(select 1 from main."Sample_Project")`.as('a')),
    ],
    [
      'as the name in a with',
      (db) =>
        db
          .with('sampleTask', (make) => make.selectFrom('sampleTenant').select('id'))
          .selectFrom('sampleTenant')
          .select('id'),
    ],
  ])('refuses a tenant table %s', (place, build) => {
    expect(() => build(store.db).compile()).toThrow(TenantTableError);
    expect(() => build(store.db).compile()).toThrow(place);
  });

  it('names the table, the place and the remedy', () => {
    expect(() => store.db.selectFrom('sampleProject').select('id').compile()).toThrow(
      'a statement names sampleProject in from, and its rows belong to a tenant (tenantId): build it on db.for(membership), or on db.acrossTenants(exception) if it concerns all tenants',
    );
  });

  it('refuses SQL text as a statement', async () => {
    const { db } = store;
    await expect(sql`select * from sample_project`.execute(db)).rejects.toThrow(TenantTableError);
    await expect(db.executeQuery(CompiledQuery.raw('delete from sample_project'))).rejects.toThrow(
      TenantTableError,
    );
    await inTransaction(db, async (queries) => {
      await expect(sql`select * from sample_project`.execute(queries)).rejects.toThrow(TenantTableError);
      await expect(queries.executeQuery(CompiledQuery.raw('delete from sample_project'))).rejects.toThrow(
        TenantTableError,
      );
      expect(() => queries.selectFrom('sampleTask').select('id').compile()).toThrow(TenantTableError);
    });
    await expect(sql`select 'sample_project' as name -- sample_project`.execute(db)).resolves.toBeDefined();
  });

  it('refuses a prepared statement', () => {
    expect(() => titled.execute(store.db, { title: 'a' })).toThrow(TenantTableError);
  });

  it('runs statements on tables without tenants', async () => {
    await store.db.insertInto('sampleTenant').values({ id: 1, name: 'first' }).execute();
    expect(await store.db.selectFrom('sampleTenant').select('name').execute()).toEqual([{ name: 'first' }]);
  });
});

describe('a handle for a tenant', () => {
  const store = useMigratedDatabase([tenantSchema]);

  beforeEach(async () => {
    for (const [member, title] of [
      [first, 'of first'],
      [second, 'of second'],
    ] as const) {
      await store.db
        .for(member)
        .insertInto('sampleProject')
        .values([project(1, title), project(2, 'same')])
        .execute();
      await store.db
        .for(member)
        .insertInto('sampleTask')
        .values({ id: 1, projectId: 1, note: title })
        .execute();
    }
  });

  const allTitles = async () => {
    const rows = await store.db
      .acrossTenants(everything)
      .selectFrom('sampleProject')
      .select(['tenantId', 'title'])
      .orderBy('tenantId')
      .orderBy('id')
      .execute();
    return rows.map(({ tenantId, title }) => `${tenantId}: ${title}`);
  };

  it('is given to members only', () => {
    const forged = [{ tenantId: 1 }, { ...first }, Object.create(first)] as Membership[];
    for (const membership of forged)
      expect(() => store.db.for(membership)).toThrow('takes a membership that a guard or a job issued');
  });

  it('reads the rows of the tenant, in each way to write a statement', async () => {
    const own = store.db.for(first);
    const titles = async (rows: { execute(): Promise<{ title: string | null }[]> }) =>
      (await rows.execute()).map(({ title }) => title);

    expect(await titles(own.selectFrom('sampleProject').select('title').orderBy('id'))).toEqual([
      'of first',
      'same',
    ]);
    expect(
      await titles(
        own
          .selectFrom('sampleProject')
          .select('title')
          .where(sql<SqlBool>`rank = 2 or rank = 1`)
          .orderBy('id'),
      ),
    ).toEqual(['of first', 'same']);
    expect(
      await titles(
        own
          .selectFrom(sql<{ title: string }>`${sql.table('sampleProject')}`.as('p'))
          .select('title')
          .orderBy('title'),
      ),
    ).toEqual(['of first', 'same']);
    expect(
      await titles(
        own
          .with('mine', (make) => make.selectFrom('sampleProject').select('title'))
          .selectFrom('mine')
          .select('title')
          .orderBy('title'),
      ),
    ).toEqual(['of first', 'same']);
    const joined = own
      .selectFrom('sampleTenant as t')
      .rightJoin('sampleProject as p', 'p.tenantId', 't.id')
      .select('p.title')
      .orderBy('p.title');
    expect(await titles(joined)).toEqual(['of first', 'same']);
  });

  it('keeps the rows of an outer join, and joins rows of the tenant only', async () => {
    await store.db
      .insertInto('sampleTenant')
      .values([
        { id: 1, name: 'first' },
        { id: 2, name: 'second' },
      ])
      .execute();
    const rows = await store.db
      .for(first)
      .selectFrom('sampleTenant as t')
      .leftJoin('sampleTask as k', 'k.tenantId', 't.id')
      .select(['t.name', 'k.note'])
      .orderBy('t.id')
      .execute();
    expect(rows).toEqual([
      { name: 'first', note: 'of first' },
      { name: 'second', note: null },
    ]);
  });

  it('writes plain conditions: to where for a table in from, to on for a joined table', () => {
    const query = store.db
      .for(first)
      .selectFrom('sampleProject as p')
      .innerJoin('sampleTask as k', 'k.projectId', 'p.id')
      .select('p.id')
      .where('p.rank', '=', 3)
      .compile();
    expect(query.sql.replaceAll(/\$\d/g, '?')).toBe(
      'select "p"."id" from "sample_project" as "p" inner join "sample_task" as "k" on "k"."project_id" = "p"."id" and "k"."tenant_id" = ? where "p"."rank" = ? and "p"."tenant_id" = ?',
    );
    expect(query.parameters).toEqual([1, 3, 1]);
  });

  it('binds a subquery once', () => {
    const own = store.db.for(first);
    const query = own
      .selectFrom('sampleTask')
      .select('id')
      .where('projectId', 'in', own.selectFrom('sampleProject').select('id'))
      .compile();
    expect(query.parameters).toEqual([1, 1]);
  });

  it('changes and deletes rows of the tenant', async () => {
    const own = store.db.for(first);
    await own.updateTable('sampleProject').set({ title: 'renamed' }).where('title', '=', 'same').execute();
    await own
      .deleteFrom('sampleProject')
      .where(sql<SqlBool>`rank = 1 or 1 = 1`)
      .where('id', '=', 1)
      .execute();
    expect(await allTitles()).toEqual(['1: renamed', '2: of second', '2: same']);
  });

  it('inserts rows of the tenant: single, from a query, and in place of existing rows', async () => {
    const own = store.db.for(first);
    await own
      .insertInto('sampleProject')
      .values({ ...project(3), tenantId: 1 })
      .execute();
    await own
      .insertInto('sampleProject')
      .columns(['id', 'title', 'rank'])
      .expression((from) =>
        from
          .selectFrom('sampleTask')
          .select(['id as other', 'note as title', sql<number>`7`.as('rank')])
          .where('id', '=', 1)
          .union(
            from
              .selectFrom('sampleTask')
              .select([sql<number>`4`.as('other'), 'note as title', sql<number>`7`.as('rank')]),
          ),
      )
      .onConflict((conflict) => conflict.columns(['tenantId', 'id']).doUpdateSet({ title: 'replaced' }))
      .execute();
    expect(await allTitles()).toEqual([
      '1: replaced',
      '1: same',
      '1: project 3',
      '1: of first',
      '2: of second',
      '2: same',
    ]);
  });

  it('leaves rows of other tenants alone when a unique value is theirs', async () => {
    const all = store.db.acrossTenants(everything);
    await sql`create unique index sample_task_note on sample_task (note)`.execute(all);
    await store.db
      .for(first)
      .insertInto('sampleTask')
      .values({ id: 9, projectId: 9, note: 'of second' })
      .onConflict((conflict) => conflict.column('note').doUpdateSet({ projectId: 9 }))
      .execute();
    expect(await all.selectFrom('sampleTask').select('projectId').execute()).toEqual([
      { projectId: 1 },
      { projectId: 1 },
    ]);
  });

  it('changes rows of the tenant only, beside a right join', async () => {
    await store.db.insertInto('sampleTenant').values({ id: 2, name: 'second' }).execute();
    await store.db
      .for(first)
      .updateTable('sampleProject')
      .set({ title: 'joined' })
      .from('sampleTask as k')
      .rightJoin('sampleTenant as t', 't.id', 'k.tenantId')
      .execute();
    expect(await allTitles()).toEqual(['1: joined', '1: joined', '2: of second', '2: same']);
  });

  it.each<[string, (db: Queries) => { compile(): unknown }]>([
    ['leave the column out', (db) => db.insertInto('sampleProject').values({ ...project(3), tenantId: 2 })],
    [
      'leave the column out',
      (db) =>
        db
          .insertInto('sampleProject')
          .columns(['id', 'tenantId', 'title', 'rank'])
          .expression((from) =>
            from.selectFrom('sampleProject').select(['id', sql<number>`2`.as('tenantId'), 'title', 'rank']),
          ),
    ],
    ['a row stays with its tenant', (db) => db.updateTable('sampleProject').set({ tenantId: 2 } as never)],
    [
      'a row stays with its tenant',
      (db) => db.updateTable('sampleProject as p').set((row) => ({ tenantId: row.val(2) }) as never),
    ],
    [
      'a row stays with its tenant',
      (db) =>
        db
          .insertInto('sampleProject')
          .values(project(3))
          .onConflict((conflict) => conflict.columns(['id']).doUpdateSet({ tenantId: 2 } as never)),
    ],
    ['on conflict', (db) => db.replaceInto('sampleProject').values(project(1))],
    ['on conflict', (db) => db.insertInto('sampleProject').orReplace().values(project(1))],
    [
      'use select, insert, update or delete',
      (db) =>
        db
          .mergeInto('sampleTenant')
          .using('sampleProject as p', 'sampleTenant.id', 'p.tenantId')
          .whenMatched()
          .thenDelete(),
    ],
    ['sql.table', (db) => db.selectFrom('sampleTenant').select(sql`(select 1 from sample_project)`.as('a'))],
  ])('refuses a statement that could leave the tenant: %s', (remedy, build) => {
    expect(() => build(store.db.for(first)).compile()).toThrow(remedy);
  });

  it('prepares a statement once for all tenants', async () => {
    await insert.count(store.db.for(first), { id: 5, title: 'new' });
    await insert.count(store.db.for(second), { id: 5, title: 'new' });
    expect(await titled.all(store.db.for(first), { title: 'new' })).toEqual([{ id: 5, tenantId: 1 }]);
    expect(await titled.all(store.db.for(second), { title: 'new' })).toEqual([{ id: 5, tenantId: 2 }]);
    expect(await titled.all(store.db.acrossTenants(everything), { title: 'new' })).toHaveLength(2);
    expect(() => titled.execute(store.db, { title: 'new' })).toThrow(TenantTableError);
  });

  it('begins transactions, and is made from a transaction', async () => {
    await inTransaction(store.db.for(first), async (db) => {
      await insert.count(db, { id: 6, title: 'both' });
      expect(db.isTransaction).toBe(true);
      expect(await titled.all(db, { title: 'of second' })).toEqual([]);
    });
    await inTransaction(store.db, (db) => insert.count(db.for(second), { id: 6, title: 'both' }));
    await expect(
      inTransaction(store.db.for(first), async (db) => {
        await insert.count(db, { id: 7, title: 'undone' });
        throw new Error('changed my mind');
      }),
    ).rejects.toThrow('changed my mind');
    expect(await titled.all(store.db.acrossTenants(everything), { title: 'both' })).toHaveLength(2);
    expect(await titled.all(store.db.for(first), { title: 'undone' })).toEqual([]);
  });

  const text = CompiledQuery.raw('select title from sample_project');

  it.each<[string, (db: Database) => Promise<unknown>]>([
    ['a connection', (db) => db.connection().execute((own) => own.executeQuery(text))],
    ['a further plugin', (db) => db.withPlugin(new CamelCasePlugin()).executeQuery(text)],
    ['a schema', (db) => db.withSchema('main').executeQuery(text)],
    ['the executor', (db) => db.getExecutor().executeQuery(text)],
    [
      'no plugins',
      (db) => {
        const bare: Kysely<{ sample_project: { title: string } }> = Kysely.prototype.withoutPlugins.call(db);
        return bare.selectFrom('sample_project').select('title').execute();
      },
    ],
  ])('is not bypassed by a handle with %s', async (_handle, execute) => {
    await expect(execute(store.db)).rejects.toThrow(TenantTableError);
  });

  it('is made from a connection', async () => {
    const titles = await store.db
      .connection()
      .execute((own) =>
        own.for(first).selectFrom('sampleProject').select('title').orderBy('title').execute(),
      );
    expect(titles).toEqual([{ title: 'of first' }, { title: 'same' }]);
  });

  it.each<[string, (db: Database) => never]>([
    ['transaction', (db) => db.transaction()],
    ['startTransaction', (db) => db.startTransaction()],
    ['withoutPlugins', (db) => db.withoutPlugins()],
  ])('refuses %s, which makes handles without a choice of tenants', (_method, call) => {
    expect(() => call(store.db)).toThrow(TypeError);
  });

  it('lets a statement read all tenants by a listed exception only', async () => {
    const db = openDatabase(store.url, { tenantExceptions: [everything] });
    const unlisted = acrossTenants('is not listed');
    expect(await sql`select * from sample_project`.execute(db.acrossTenants(everything))).toMatchObject({
      rows: { length: 4 },
    });
    expect(() => db.acrossTenants(unlisted)).toThrow("no plugin lists acrossTenants('is not listed')");
    expect(() => acrossTenants(' ')).toThrow('needs a reason');
    await db.destroy();
  });
});
