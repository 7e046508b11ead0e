/**
 * Measures whether requests take longer as the tables grow. It compares the median latency of sequential requests with a
 * thousand and with a million rows in each table, on SQLite and PostgreSQL. It uses the built `api` and `admin`. Build first:
 * `npm run build:all`.
 *
 * `--quick` takes a minute and compares a thousand rows with twenty thousand. `--json` writes rows
 * `{case, subject, value, unit}`. `--only sqlite|postgres` measures a single store.
 */
import '../scripts/load-sources.mts';
import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Database } from '@app/persistence';
import { freePort } from '../tools/drill/programs/free-port.mts';

const { values } = parseArgs({
  options: { quick: { type: 'boolean' }, json: { type: 'boolean' }, only: { type: 'string' } },
});
const sizes = values.quick ? [1_000, 20_000] : [1_000, 1_000_000];
const requestsOfEach = values.quick ? 100 : 400;
const caller = { username: 'admin@example.com', password: 'an administrator of benchmarks' };
const names = ['api', 'admin'] as const;
/** An expiry time that is later than the measurement. */
const later = '2099-01-01T00:00:00.000Z';

interface Row {
  readonly case: string;
  readonly subject: string;
  readonly value: number;
  readonly unit: 'ms' | 'times';
}

/** The requests by title. */
type Routes = ReadonlyMap<string, () => Promise<unknown>>;

interface Programs {
  /** The number of rows in each table. */
  readonly size: number;
  readonly api: string;
  readonly admin: string;
  stop(): Promise<void>;
}

for (const name of names) {
  const entry = join(import.meta.dirname, `../dist/apps/${name}/main.js`);
  if (!existsSync(entry)) throw new Error(`There is no ${entry}: run npm run build:all first.`);
}
const measured: Row[] = [];
if (values.only !== 'postgres') measured.push(...(await measureStore('SQLite', sqliteUrls())));
if (values.only !== 'sqlite') measured.push(...(await onPostgres()));
const lines = measured.map((row) => `${row.case}, ${row.subject}: ${row.value.toFixed(2)} ${row.unit}\n`);
process.stdout.write(values.json ? `${JSON.stringify(measured)}\n` : lines.join(''));

function sqliteUrls() {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-growth-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return async (size: number) => `sqlite:${join(folder, `${size}.db`)}`;
}

async function onPostgres(): Promise<Row[]> {
  const { startPostgres, temporaryDatabase } = await import('@app/persistence/testing');
  const server = await startPostgres({ isDurable: true });
  process.env.TEST_DATABASE_URL = server.url;
  try {
    return await measureStore('PostgreSQL', async () => (await temporaryDatabase()).url);
  } finally {
    await server.stop();
  }
}

async function measureStore(store: string, urlOf: (size: number) => Promise<string>): Promise<Row[]> {
  const started: Programs[] = [];
  try {
    for (const size of sizes) {
      process.stderr.write(`${store}: ${size} rows\n`);
      started.push(await startFilled(await urlOf(size), size));
    }
    return await compare(store, await Promise.all(started.map(routesOf)));
  } finally {
    for (const programs of started) await programs.stop();
  }
}

async function startFilled(databaseUrl: string, size: number): Promise<Programs> {
  // The programs create the tables and the administrator.
  const first = await startPrograms(databaseUrl, size);
  await first.stop();
  await fill(databaseUrl, size);
  return startPrograms(databaseUrl, size);
}

/** Sends requests to the small and the large store in turn, so that other work on the machine delays both. */
async function compare(store: string, [small, large]: readonly Routes[]): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [title, send] of small) {
    const pair = [send, large.get(title) ?? send];
    const times: number[][] = [[], []];
    for (let count = -requestsOfEach / 4; count < requestsOfEach; count += 1)
      for (const [at, operation] of pair.entries()) {
        const begun = performance.now();
        await operation();
        if (count >= 0) times[at].push(performance.now() - begun);
      }
    const [before, after] = times.map(median);
    const subject = `${store}, ${title}`;
    rows.push(
      { case: `${sizes[0]} rows`, subject, value: before, unit: 'ms' },
      { case: `${sizes[1]} rows`, subject, value: after, unit: 'ms' },
      { case: 'ratio', subject, value: after / before, unit: 'times' },
    );
  }
  return rows;
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)];
}

async function startPrograms(databaseUrl: string, size: number): Promise<Programs> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-growth-'));
  const children: ChildProcess[] = [];
  const urls: string[] = [];
  for (const name of names) {
    const port = await freePort();
    urls.push(`http://127.0.0.1:${port}`);
    const env = {
      PATH: process.env.PATH,
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      JWT_SECRET: 'a secret of benchmarks, long enough to sign with',
      ADMIN_EMAIL: caller.username,
      ADMIN_PASSWORD: caller.password,
      ACCESS_TOKEN_TTL: '1h',
      SIGN_IN_ADDRESS_LIMIT: '100000',
      // A busy machine must not fail the benchmark.
      MAX_DELAY: '1m',
      LOG_LEVEL: 'warn',
    };
    const entry = join(import.meta.dirname, `../dist/apps/${name}/main.js`);
    // Their warnings say why a request failed; standard output is for the rows.
    const stdio: StdioOptions = ['ignore', process.stderr.fd, 'inherit'];
    children.push(spawn(process.execPath, [entry], { cwd: folder, env, stdio }));
    await firstAnswer(urls.at(-1) ?? '');
  }
  const stop = async (): Promise<void> => {
    for (const child of children) {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    }
    rmSync(folder, { recursive: true });
  };
  return { size, api: urls[0], admin: urls[1], stop };
}

async function firstAnswer(url: string): Promise<void> {
  for (let attempt = 0; attempt < 1200; attempt += 1) {
    const response = await fetch(`${url}/health/ready`).catch(() => undefined);
    if (response?.ok) return;
    await pause(50);
  }
  throw new Error('A program did not answer within a minute.');
}

/** Adds `size` rows to each table. The administrator owns a thousandth of the rows that have an owner. */
async function fill(url: string, size: number): Promise<void> {
  const { openDatabase } = await import('@app/persistence');
  const db = openDatabase(url, {
    timeouts: { waitMs: 600_000, statementMs: 0 },
    poolSize: 1,
    isPooled: false,
  });
  try {
    const { id } = await db
      .selectFrom('account')
      .select('id')
      .where('emailKey', '=', caller.username)
      .executeTakeFirstOrThrow();
    for (const statement of statementsFor(db, size, id)) await run(db, statement);
    await run(db, db.dialect === 'sqlite' ? 'analyze' : 'vacuum analyze');
  } finally {
    await db.destroy();
  }
}

async function run(db: Database, text: string): Promise<void> {
  const { CompiledQuery } = await import('kysely');
  await db.executeQuery(CompiledQuery.raw(text));
}

function statementsFor({ dialect }: Database, size: number, own: number): string[] {
  const isSqlite = dialect === 'sqlite';
  const now = isSqlite ? String(Date.now()) : 'now()';
  const end = isSqlite ? String(Date.parse(later)) : `timestamptz '${later}'`;
  const series = isSqlite
    ? `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${size}) `
    : `with numbers as (select n from generate_series(1, ${size}) as numbers(n)) `;
  const owner = `case when n % 1000 = 0 then ${own} else ${own} + 1 + n % 900 end`;
  const insert = (table: string, columns: string, select: string): string =>
    `insert into "${table}" (${columns}) ${series} select ${select} from numbers`;
  return [
    insert(
      'account',
      'email, email_key, password_hash, password_changed_at, created_at',
      `'user-' || n || '@example.com', 'user-' || n || '@example.com', 'no hash', ${now}, ${now}`,
    ),
    insert('item', 'sku, name, price, created_at', `'SKU-' || n, 'Item ' || n % 1000, n % 5000, ${now}`),
    insert('order', 'account_id, created_at', `${owner}, ${now}`),
    insert('post', 'slug, author_id, created_at', `'slug-' || n, ${owner}, ${now}`),
    insert(
      'session',
      'account_id, sid, tag_key, ip, created_at, last_used_at, expires_at',
      `${own} + 1 + n % 900, 'sid-' || n, 'no key', '127.0.0.1', ${now}, ${now}, ${end}`,
    ),
    insert(
      'audit_event',
      'kind, account_id, ip, detail, created_at',
      `case when n % 100000 = 0 then 'api-key-created' else 'sign-in' end, ${owner}, '127.0.0.1', '{}', ${now}`,
    ),
  ];
}

async function routesOf({ api, admin, size }: Programs): Promise<Routes> {
  const [token, adminToken] = [await signIn(api), await signIn(admin)];
  const { id }: { id: number } = await json(`${api}/users/me`, token);
  // The deepest page that has a number.
  const page = Math.min(size / 20, 1000);
  const deep = await nextOf(`${api}/items?limit=10&page=${page}`, token);
  const deepAudit = await nextOf(`${admin}/audit?limit=10&page=${page}`, adminToken);
  return new Map<string, () => Promise<unknown>>([
    ['items', () => json(`${api}/items?limit=10`, token)],
    ['items after a cursor', () => json(deep, token)],
    ['items by name', () => json(`${api}/items?limit=10&sort=name`, token)],
    ['own orders', () => json(`${api}/orders?limit=10`, token)],
    ['posts', () => json(`${api}/posts?limit=10`, token)],
    ['users', () => json(`${api}/users?limit=10`, token)],
    ['own sessions', () => json(`${api}/auth/sessions`, token)],
    ['audit', () => json(`${admin}/audit?limit=10`, adminToken)],
    ['audit after a cursor', () => json(deepAudit, adminToken)],
    ['audit of an account', () => json(`${admin}/audit?limit=10&accountId=${id}`, adminToken)],
    [
      'audit of an account and kind',
      () => json(`${admin}/audit?limit=10&accountId=${id}&kind=api-key-created`, adminToken),
    ],
    ['sign-in', () => signIn(api)],
  ]);
}

async function signIn(url: string): Promise<string> {
  const response = await fetch(`${url}/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(caller),
  });
  if (!response.ok) throw new Error(`POST /auth/login: ${response.status} ${await response.text()}`);
  const { access_token: token }: { access_token: string } = JSON.parse(await response.text());
  return token;
}

async function get(url: string, token: string): Promise<Response> {
  const response = await fetch(url, { headers: { Authorization: `Bearer ${token}` } });
  if (!response.ok) throw new Error(`GET ${url}: ${response.status} ${await response.text()}`);
  return response;
}

async function json(url: string, token: string) {
  return JSON.parse(await (await get(url, token)).text());
}

/** Returns the path of a list's next page. */
async function nextOf(url: string, token: string): Promise<string> {
  const response = await get(url, token);
  await response.arrayBuffer();
  const [, next] = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '') ?? [];
  if (next === undefined) throw new Error(`GET ${url} has no next page.`);
  return new URL(next, url).href;
}
