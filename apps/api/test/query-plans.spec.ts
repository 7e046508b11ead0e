import { Outbox } from '@app/mail';
import { Database } from '@app/persistence';
import { type BootedProgram, newEmail } from '@app/service/testing';
import { CompiledQuery, DefaultQueryExecutor, sql } from 'kysely';
import { bootApi } from '../testing/boot-api';
import { tellApiStories } from './stories';

/**
 * Reads rows in the order of the primary key and stops at a limit, so that its time does not depend on the size of
 * the table.
 */
const isFirstPage = /^select (?:(?! where ).)* order by "id"(?: asc| desc)? limit \S+(?: offset \S+)?$/;
const isPlannable = /^(select|update|delete) .*\b(from|update)\b/;

/** The index of administrators has no other accounts. */
const scanned = /^SCAN (\S+)(?!.*account_administrators)/;

/** What the tests of a suite execute. */
function gatherQueries(): ReadonlyMap<string, CompiledQuery> {
  const queries = new Map<string, CompiledQuery>();
  /** Outside a transaction, statements are executed without Kysely's executor. */
  const executed = [
    vi.spyOn(DefaultQueryExecutor.prototype, 'executeQuery'),
    vi.spyOn(Database.prototype, 'run'),
  ];

  afterEach(() => {
    for (const [query] of executed.flatMap(({ mock }) => mock.calls))
      if (isPlannable.test(query.sql) && !/schema_migration/.test(query.sql)) queries.set(query.sql, query);
    for (const execute of executed) execute.mockClear();
  });

  return queries;
}

/** The queries that may read a table completely. */
async function findScans(db: Database, queries: ReadonlyMap<string, CompiledQuery>): Promise<string[]> {
  const explain = process.env.TEST_DATABASE_URL ? scansOnPostgres : scansOnSqlite;
  const scans: string[] = [];
  for (const query of queries.values()) {
    if (isFirstPage.test(query.sql)) continue;
    for (const scan of await explain(db, query)) scans.push(`${scan}: ${query.sql}`);
  }
  return scans;
}

async function newestToken(program: BootedProgram): Promise<string> {
  const [mail] = await program.app().get(Outbox, { strict: false }).list({ limit: 1, offset: 0 });
  return mail?.text?.link?.split('#token=')[1] ?? '';
}

/** The stories run first; then each of their queries is explained. */
describe('the queries of the stores', () => {
  const api = bootApi();
  const queries = gatherQueries();

  tellApiStories(() => api());

  it('include those of the first administrator', async () => {
    const db = api.app().get(Database, { strict: false });
    const isAdministrator = sql.lit<'admin'>('admin');
    const administrators = db.selectFrom('account').select('id').where('role', '=', isAdministrator);
    expect(await administrators.execute()).toHaveLength(1);
  });

  it('include those of sessions, keys, changes and further pages', async () => {
    const [username, password] = [newEmail(), 'correct horse battery staple'];
    await api().post('/users', { email: username, password });
    const { refresh_token, access_token } = (await api().post('/auth/sessions', { username, password })).json;
    await api().post('/auth/refresh', { refresh_token });
    const client = api().as(access_token);
    const { id } = (await client.get('/auth/sessions')).json.items[0];
    await client.post('/auth/api-keys', { name: 'a key' });
    await client.get('/auth/api-keys');
    for (let made = 0; made < 2; made += 1) {
      await client.post('/orders', { items: [{ sku: 'tea', quantity: '1' }] });
      await client.post('/posts', { slug: `a-slug-${made}` });
    }
    for (const list of ['/orders', '/posts', '/items']) {
      const { headers } = await client.get(`${list}?limit=1`);
      const [, next] = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '') ?? [];
      if (next) await client.get(next);
    }
    await client.patch(`/posts/a-slug-1`, { slug: 'another-slug' });
    await client.delete('/posts/another-slug');
    expect((await client.delete(`/auth/sessions/${id}`)).status).toBe(204);
    await api().post('/auth/password-resets', { username });
    const token = await newestToken(api);
    const reset = await api().post('/auth/password-resets/complete', { token, password });
    expect(reset.status).toBe(204);
  });

  it('read no growing table completely', async () => {
    const db = api.app().get(Database, { strict: false }).openAnother();
    const scans = await findScans(db, queries);
    await db.destroy();
    expect(queries.size).toBeGreaterThan(20);
    expect(scans).toEqual([]);
  });
});

describe('the queries of verified e-mails', () => {
  const api = bootApi({ env: { EMAIL_VERIFICATION: 'on' } });
  const queries = gatherQueries();

  it('are executed', async () => {
    const [username, password] = [newEmail(), 'correct horse battery staple'];
    const { headers } = await api().post('/users', { email: username, password });
    const confirm = async () =>
      api().post('/auth/email-verifications/complete', { token: await newestToken(api) });
    expect((await confirm()).status).toBe(204);
    const client = await api().signIn(username, password);
    await client.patch(headers.get('location') ?? '', { email: newEmail() });
    expect((await client.post('/auth/email-verifications')).status).toBe(202);
    expect((await confirm()).status).toBe(204);
    const undo = { token: await newestToken(api), password };
    expect((await api().post('/auth/email-changes/undo', undo)).status).toBe(204);
  });

  it('read no growing table completely', async () => {
    const db = api.app().get(Database, { strict: false }).openAnother();
    const scans = await findScans(db, queries);
    await db.destroy();
    expect([...queries.keys()].filter((text) => text.includes('email_link')).length).toBeGreaterThan(4);
    expect(scans).toEqual([]);
  });
});

async function scansOnSqlite(db: Database, { sql: text, parameters }: CompiledQuery): Promise<string[]> {
  const { rows } = await db.executeQuery<{ detail: string }>(
    CompiledQuery.raw(`explain query plan ${text}`, [...parameters]),
  );
  const { rows: tables } = await sql<{ name: string }>`select name from sqlite_schema`.execute(db);
  const names = new Set(tables.map(({ name }) => name));
  // A subquery is scanned too, and has a page of rows.
  return rows.map(({ detail }) => detail).filter((step) => names.has(scanned.exec(step)?.[1] ?? ''));
}

/** A node of a plan. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly PlanNode[];
}

/** The tables of tests are small: without `enable_seqscan` the plan is that of large ones. */
function scansOnPostgres(db: Database, { sql: text, parameters }: CompiledQuery): Promise<string[]> {
  return db.connection().execute(async (connection) => {
    await sql`set enable_seqscan = off`.execute(connection);
    const { rows } = await connection.executeQuery<Record<string, [{ Plan: PlanNode }]>>(
      CompiledQuery.raw(`explain (format json) ${text}`, [...parameters]),
    );
    return rows.flatMap((row) => Object.values(row).flatMap(([{ Plan: plan }]) => scansOf(plan)));
  });
}

function scansOf(node: PlanNode): string[] {
  const { 'Node Type': type, 'Index Cond': condition, 'Index Name': index, Plans: children = [] } = node;
  const isPartial = index === 'account_administrators';
  const isScan = /^(Seq|Index|Index Only) Scan$/.test(type) && condition === undefined && !isPartial;
  return [...(isScan ? [`${type} on ${node['Relation Name']}`] : []), ...children.flatMap(scansOf)];
}
