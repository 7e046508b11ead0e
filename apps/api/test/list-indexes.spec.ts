import { sortKeysOf } from '@app/paging';
import { Database } from '@app/persistence';
import type { Client } from '@app/service/testing';
import { describeRoutes } from '@app/service';
import { CompiledQuery, sql } from 'kysely';
import { bootApi } from '../testing/boot-api';

/** A list and an order that it declares. */
interface Order {
  readonly path: string;
  readonly sort: string;
  /** Whether the order has rows with null, which are read by a scan of their own, and sorted with the others. */
  readonly hasNulls: boolean;
}

/** What a program does at any time, whatever it is asked: the sweep deletes rows, seals events and removes pictures. */
const background = /^(?!select|with)| from "(?:revocation|mail|audit_event|audit_block|picture)"/;

/** Every order that a route declares has an index, so that a page costs the same in a large table. */
describe('the index of each declared order', () => {
  const api = bootApi();
  const run = vi.spyOn(Database.prototype, 'run');
  let administrator: Client;

  beforeAll(async () => {
    administrator = await api.administrator();
    for (const name of ['one', 'two', 'three']) {
      await administrator.post('/items', { sku: name, name, price: name.length });
      await administrator.post('/posts', { slug: name });
    }
  });

  function orders(): Order[] {
    return describeRoutes(api.app()).flatMap(({ path, query }) =>
      [...sortKeysOf(query?.type ?? Object).values()].flatMap(({ name, hasNulls }) =>
        ['', '-'].map((sign): Order => ({ path, sort: sign + name, hasNulls })),
      ),
    );
  }

  /** The queries of the first page, and of the next one. */
  async function queriesOf({ path, sort }: Order): Promise<CompiledQuery[]> {
    run.mockClear();
    const { headers } = await administrator.get(`${path}?sort=${sort}&limit=1`);
    const [, next = ''] = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '') ?? [];
    expect((await administrator.get(next)).status).toBe(200);
    const queries = run.mock.calls.map(([query]) => query).filter(({ sql: text }) => !background.test(text));
    return queries.filter(({ sql: text }) => text.includes(' order by '));
  }

  it('is used by the first page and by the next one', async () => {
    const explain = process.env.TEST_DATABASE_URL ? explainOnPostgres : explainOnSqlite;
    const db = api.app().get(Database, { strict: false }).openAnother();
    const declared = orders();
    const faults: string[] = [];
    for (const order of declared) {
      const queries = await queriesOf(order);
      expect(queries).toHaveLength(2);
      for (const query of queries) {
        const { sorts, scans } = await explain(db, query);
        if (scans > 0 || sorts > (order.hasNulls ? 1 : 0)) faults.push(`${order.path}?sort=${order.sort}`);
      }
    }
    await db.destroy();
    expect(declared.length).toBeGreaterThan(4);
    expect(faults).toEqual([]);
  });

  it('is missed if there is none', async () => {
    const explain = process.env.TEST_DATABASE_URL ? explainOnPostgres : explainOnSqlite;
    const db = api.app().get(Database, { strict: false }).openAnother();
    const query = db.selectFrom('account').selectAll().orderBy('firstName').orderBy('id').limit(1).compile();
    const { sorts, scans } = await explain(db, query);
    await db.destroy();
    expect([sorts, scans]).toEqual([1, 1]);
  });
});

/** How a query is executed. */
interface Explained {
  /** Sorts of rows; those that an index has in order are none. */
  readonly sorts: number;
  /** Reads of a whole table. */
  readonly scans: number;
}

async function explainOnSqlite(db: Database, { sql: text, parameters }: CompiledQuery): Promise<Explained> {
  const { rows } = await db.executeQuery<{ detail: string }>(
    CompiledQuery.raw(`explain query plan ${text}`, [...parameters]),
  );
  const named = (step: RegExp) => rows.flatMap(({ detail }) => step.exec(detail) ?? []);
  const subqueries = new Set(named(/(?<=^CO-ROUTINE )\w+$/));
  return {
    sorts: named(/^USE TEMP B-TREE FOR (?:LAST TERM OF )?ORDER BY/).length,
    scans: named(/(?<=^SCAN )\w+$/).filter((name) => !subqueries.has(name)).length,
  };
}

/** A node of a plan. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly Plans?: readonly PlanNode[];
}

/** The tables of tests are small: without sequential scans and sorts the plan is that of large ones. */
function explainOnPostgres(db: Database, { sql: text, parameters }: CompiledQuery): Promise<Explained> {
  return db.connection().execute(async (connection) => {
    for (const node of ['seqscan', 'sort'])
      await sql`set ${sql.raw(`enable_${node}`)} = off`.execute(connection);
    const { rows } = await connection.executeQuery<Record<string, [{ Plan: PlanNode }]>>(
      CompiledQuery.raw(`explain (format json) ${text}`, [...parameters]),
    );
    const types = rows.flatMap((row) => Object.values(row).flatMap(([{ Plan: plan }]) => typesOf(plan)));
    const count = (type: string) => types.filter((one) => one === type).length;
    return { sorts: count('Sort'), scans: count('Seq Scan') };
  });
}

function typesOf({ 'Node Type': type, Plans: children = [] }: PlanNode): string[] {
  return [type, ...children.flatMap(typesOf)];
}
