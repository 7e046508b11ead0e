import fc from 'fast-check';
import { sql, type SqlBool } from 'kysely';
import { useMigratedDatabase } from '../../testing/migrated-database';
import { tenantSchema } from '../../testing/tenant-schema';
import { issueMembership } from './membership';
import { type Queries } from './queries';
import { acrossTenants } from './tenant-exception';

/** The names of the two tenant tables, or their copies with a single tenant's rows. */
const originals = { project: 'sampleProject', task: 'sampleTask' } as const;
const copies = { project: 'copiedProject', task: 'copiedTask' } as const;
type Names = typeof originals | typeof copies;

const everything = acrossTenants('compares the rows of tenants');
const me = issueMembership({ tenantId: 1 });

/** A tenant's row. Ids repeat between tenants. */
const rows = fc.uniqueArray(
  fc.record({
    tenantId: fc.integer({ min: 1, max: 2 }),
    id: fc.integer({ min: 1, max: 4 }),
    other: fc.integer({ min: 1, max: 4 }),
  }),
  { selector: ({ tenantId, id }) => `${tenantId} ${id}`, maxLength: 8 },
);

const joinKinds = ['innerJoin', 'leftJoin', 'rightJoin', 'fullJoin'] as const;

/** A select: sources, joins, conditions and the statement around them. */
const selects = fc.record({
  from: fc.constantFrom('project', 'task'),
  joins: fc.array(
    fc.record({ kind: fc.constantFrom(...joinKinds), table: fc.constantFrom('project', 'task') }),
    { maxLength: 3 },
  ),
  isCross: fc.boolean(),
  condition: fc.constantFrom('none', 'or', 'raw or', 'in', 'not in', 'exists', 'raw table'),
  shape: fc.constantFrom('plain', 'with', 'union', 'except', 'derived', 'grouped'),
  bound: fc.integer({ min: 0, max: 5 }),
} as const);

/** A change: an insert with values, an insert from a query, an update or a delete. */
const changes = fc.record({
  kind: fc.constantFrom(
    'insert',
    'upsert',
    'insert from',
    'upsert from',
    'update',
    'update from',
    'delete',
    'delete in',
  ),
  condition: fc.constantFrom('none', 'raw or', 'in'),
  id: fc.integer({ min: 1, max: 6 }),
  bound: fc.integer({ min: 0, max: 5 }),
} as const);

type Select = typeof selects extends fc.Arbitrary<infer Value> ? Value : never;
type Change = typeof changes extends fc.Arbitrary<infer Value> ? Value : never;

/** Returns selected rows as sorted texts, without the tenant column. */
async function read(db: Queries, names: Names, select: Select): Promise<string[]> {
  const base = () => joined(db, names, select);
  const ids = base().select(columnsOf(select));
  const result = {
    plain: () => ids.execute(),
    with: () =>
      db
        .with('picked', () => ids)
        .selectFrom('picked')
        .selectAll()
        .execute(),
    union: () => ids.unionAll(base().select(columnsOf(select))).execute(),
    except: () => ids.except(base().select(columnsOf(select)).where('t0.id', '<', select.bound)).execute(),
    derived: () => db.selectFrom(ids.as('picked')).selectAll().execute(),
    grouped: () =>
      base()
        .select((row) => row.fn.countAll<number>().as('count'))
        .execute(),
  }[select.shape];
  return (await result()).map((row) => JSON.stringify(row)).toSorted();
}

function columnsOf({ joins }: Select): 't0.id'[] {
  const columns = ['t0.id as a0', ...joins.map((_, at) => `t${at + 1}.id as a${at + 1}`)];
  return columns as 't0.id'[];
}

function joined(db: Queries, names: Names, { from, joins, isCross, condition, bound }: Select) {
  const link = { project: 'rank', task: 'projectId' } as const;
  let query = db.selectFrom(`${names[from]} as t0` as 'sampleProject as t0');
  for (const [at, { kind, table }] of joins.entries()) {
    const [alias, before] = [`t${at + 1}`, at === 0 ? `t0.${link[from]}` : `t${at}.id`];
    query = query[kind as 'innerJoin'](
      `${names[table]} as ${alias}` as 'sampleProject as t1',
      `${alias}.id` as 't1.id',
      before as 't0.id',
    );
  }
  if (isCross) query = query.crossJoin(`${names.task} as crossed` as 'sampleTask as crossed');
  const keys = db.selectFrom(names.task).select('projectId');
  switch (condition) {
    case 'or':
      return query.where((is) => is.or([is('t0.id', '<', bound), is('t0.id', '=', 4)]));
    case 'raw or':
      return query.where(sql<SqlBool>`${sql.ref('t0.id')} < ${bound} or ${sql.ref('t0.id')} = 4`);
    case 'in':
      return query.where('t0.id', 'in', keys);
    case 'not in':
      return query.where('t0.id', 'not in', keys);
    case 'exists':
      return query.where((is) =>
        is.exists(
          is
            .selectFrom(`${names.task} as e` as 'sampleTask as e')
            .select('e.id')
            .whereRef('e.projectId', '=', 't0.id'),
        ),
      );
    case 'raw table':
      return query.where(
        sql<SqlBool>`${sql.ref('t0.id')} in (select r.project_id from ${sql.table(names.task)} as r)`,
      );
    default:
      return query;
  }
}

/** Executes a change, with the tenant's id in a copy's columns. */
async function change(db: Queries, names: Names, { kind, condition, id, bound }: Change): Promise<void> {
  const own = names === copies ? { tenantId: 1 } : {};
  const row = { id, title: 'new', rank: bound, ...own };
  const isIn = (key: string) =>
    ({
      none: sql<SqlBool>`1 = 1`,
      'raw or': sql<SqlBool>`${sql.ref(key)} < ${bound} or ${sql.ref(key)} = 4`,
      in: sql<SqlBool>`${sql.ref(key)} in (${db.selectFrom(names.task).select('projectId')})`,
    })[condition];
  const from = db
    .selectFrom(names.task)
    .select(['id', sql<string>`'from'`.as('title'), 'projectId as rank'])
    .$if(names === copies, (query) => query.select(sql<number>`1`.as('own')))
    .where(isIn('id'));
  const columns = ['id', 'title', 'rank', ...(names === copies ? ['tenantId' as const] : [])] as const;
  const inserts = db.insertInto(names.project);
  const statements = {
    insert: () => inserts.values(row).onConflict((conflict) => conflict.doNothing()),
    upsert: () =>
      inserts.values(row).onConflict((conflict) =>
        conflict
          .columns(['tenantId', 'id'])
          .doUpdateSet({ title: 'again' })
          .where(isIn(`${names.project}.id`)),
      ),
    'insert from': () =>
      inserts
        .columns(columns)
        .expression(from)
        .onConflict((conflict) => conflict.doNothing()),
    'upsert from': () =>
      inserts
        .columns(columns)
        .expression(from.where('id', '>', 0))
        .onConflict((conflict) =>
          conflict.columns(['tenantId', 'id']).doUpdateSet((to) => ({ rank: to.ref('excluded.rank') })),
        ),
    update: () => db.updateTable(names.project).set({ title: 'changed' }).where(isIn('id')),
    'update from': () =>
      db
        .updateTable(`${names.project} as p` as 'sampleProject as p')
        .set({ title: 'changed' })
        .from(`${names.task} as k` as 'sampleTask as k')
        .whereRef('k.projectId', '=', 'p.id'),
    delete: () => db.deleteFrom(names.project).where(isIn('id')),
    'delete in': () =>
      db
        .deleteFrom(names.project)
        .where('id', 'in', db.selectFrom(names.task).select('projectId').where('id', '<', bound)),
  };
  await statements[kind]().execute();
}

describe('a statement on a handle for a tenant', () => {
  const store = useMigratedDatabase([tenantSchema]);

  /** Replaces all rows, and copies the first tenant's rows. */
  async function fill(
    projects: readonly { tenantId: number; id: number; other: number }[],
    tasks: typeof projects,
  ): Promise<void> {
    const db = store.db.acrossTenants(everything);
    for (const table of [...Object.values(originals), ...Object.values(copies)])
      await db.deleteFrom(table).execute();
    for (const { tenantId, id, other: rank } of projects)
      for (const table of [originals.project, ...(tenantId === 1 ? [copies.project] : [])])
        await db
          .insertInto(table)
          .values({ tenantId, id, rank, title: `of ${tenantId}` })
          .execute();
    for (const { tenantId, id, other: projectId } of tasks)
      for (const table of [originals.task, ...(tenantId === 1 ? [copies.task] : [])])
        await db.insertInto(table).values({ tenantId, id, projectId, note: null }).execute();
  }

  const all = (table: (typeof originals | typeof copies)['project'], tenantId: number) =>
    store.db
      .acrossTenants(everything)
      .selectFrom(table)
      .selectAll()
      .where('tenantId', '=', tenantId)
      .orderBy('id')
      .execute();

  it('reads what it reads from copies with the rows of the tenant', async () => {
    const property = fc.asyncProperty(
      rows,
      rows,
      fc.array(selects, { minLength: 8, maxLength: 8 }),
      async (projects, tasks, reads) => {
        await fill(projects, tasks);
        for (const select of reads)
          expect(await read(store.db.for(me), originals, select)).toEqual(
            await read(store.db.acrossTenants(everything), copies, select),
          );
      },
    );
    await fc.assert(property, { numRuns: 40 });
  });

  it('changes what it changes in copies with the rows of the tenant, and no other rows', async () => {
    const property = fc.asyncProperty(
      rows,
      rows,
      fc.array(changes, { minLength: 4, maxLength: 4 }),
      async (projects, tasks, planned) => {
        await fill(projects, tasks);
        const others = await all(originals.project, 2);
        for (const step of planned) {
          await change(store.db.for(me), originals, step);
          await change(store.db.acrossTenants(everything), copies, step);
          expect(await all(originals.project, 1)).toEqual(await all(copies.project, 1));
        }
        expect(await all(originals.project, 2)).toEqual(others);
      },
    );
    await fc.assert(property, { numRuns: 40 });
  });
});
