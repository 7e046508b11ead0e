/**
 * Counts the files, functions and calls in this workspace that a warm request crosses: `npm run bench -- crossed`. V8 counts
 * every call in a program on SQLite, so the results are independent of the machine's speed.
 *
 * `--list` names the functions for each request. `--json` writes rows `{case, subject, value, unit}`. `--quick` changes nothing.
 */
import '../scripts/load-sources.mts';
import { mkdtempSync, rmSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { createProgram, readSettings } = await import('@app/service');
const { program } = await import('../apps/api/src/api.program.ts');

const { values } = parseArgs({
  options: { list: { type: 'boolean' }, json: { type: 'boolean' }, quick: { type: 'boolean' } },
});

/** The number of warm-up requests before the counted requests. */
const WARM = 200;
const COUNTED = 9;
const sources = new URL('..', import.meta.url).href;
const admin = { username: 'ada@example.com', password: 'correct horse battery staple' };

const folder = mkdtempSync(join(tmpdir(), 'sluice-crossed-'));
const { name, schemas, tables, module, declarations } = program;
const settings = readSettings(declarations, {
  DATABASE_URL: `sqlite:${join(folder, 'store.db')}`,
  ADMIN_EMAIL: admin.username,
  ADMIN_PASSWORD: admin.password,
  LOG_FILE: join(folder, 'log'),
});
const app = await createProgram({ name, schemas, tables, module: module(settings), settings });
await app.listen(0, '127.0.0.1');
const session = new Session();
session.connect();
try {
  const url = await app.getUrl();
  const json = { 'content-type': 'application/json' };
  const login = await fetch(`${url}/auth/login`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify(admin),
  });
  const { access_token }: { access_token: string } = JSON.parse(await login.text());
  const signedIn = { authorization: `Bearer ${access_token}` };
  const order = { items: [{ sku: 'SKU-1', quantity: '1' }] };
  const requests: Record<string, () => Promise<Response>> = {
    'GET /': () => fetch(url),
    'GET /users/me': () => fetch(`${url}/users/me`, { headers: signedIn }),
    'POST /orders': () =>
      fetch(`${url}/orders`, {
        method: 'POST',
        headers: { ...json, ...signedIn },
        body: JSON.stringify(order),
      }),
  };
  const rows = [];
  for (const [request, send] of Object.entries(requests)) {
    const { list, ...counts } = await crossedBy(send);
    for (const [subject, value] of Object.entries(counts))
      rows.push({ case: request, subject, value, unit: subject });
    if (!values.json) process.stdout.write(`${request}: ${JSON.stringify(counts)}\n`);
    if (values.list) process.stdout.write(`  ${list.join('\n  ')}\n`);
  }
  if (values.json) process.stdout.write(`${JSON.stringify(rows)}\n`);
} finally {
  await app.close();
  rmSync(folder, { recursive: true });
}

/** Returns the request with the fewest calls, because a timer that fires during a request adds its calls. */
async function crossedBy(send: () => Promise<Response>) {
  for (let sent = 0; sent < WARM; sent += 1) await (await send()).text();
  const counted = [];
  for (let sent = 0; sent < COUNTED; sent += 1) counted.push(await count(send));
  return counted.reduce((least, next) => (next.calls < least.calls ? next : least));
}

async function count(send: () => Promise<Response>) {
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const response = await send();
  const body = await response.text();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  await session.post('Profiler.stopPreciseCoverage');
  if (!response.ok) throw new Error(`${response.url} is ${response.status}: ${body}`);
  const crossed = result
    .filter(({ url }) => url.startsWith(`${sources}apps/`) || url.startsWith(`${sources}libs/`))
    .flatMap(({ url, functions }) =>
      functions.map(({ functionName, ranges: [{ count: calls } = { count: 0 }] }) => ({
        url,
        functionName,
        calls,
      })),
    )
    .filter(({ calls }) => calls > 0);
  return {
    files: new Set(crossed.map(({ url }) => url)).size,
    functions: crossed.length,
    calls: crossed.reduce((sum, { calls }) => sum + calls, 0),
    list: crossed.map(
      ({ url, functionName, calls }) => `${calls} ${functionName} ${url.slice(sources.length)}`,
    ),
  };
}
