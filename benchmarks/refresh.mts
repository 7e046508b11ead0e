/**
 * Refreshes sessions for different users at once over HTTP, on SQLite and on a PostgreSQL server that it starts:
 * `npm run bench -- refresh`. It reports the refreshes per second, their time, and how many are refused with 503. Build first:
 * `npm run build`.
 *
 * `--quick` measures for 4 s instead of 15 s. `--json` writes rows `{case, subject, value, unit}`.
 */
import '../scripts/load-sources.mts';
import { Agent } from 'node:http';
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { type BuiltApi, fromAnyAddress, startBuiltApi } from './built-api.mts';

const { startPostgres } = await import('../libs/persistence/testing/postgres-server.ts');

const { values } = parseArgs({ options: { quick: { type: 'boolean' }, json: { type: 'boolean' } } });
const seconds = values.quick ? 4 : 15;
const users = 64;
const password = 'a password of benchmarks';

interface Row {
  readonly case: string;
  readonly subject: string;
  readonly value: number;
  readonly unit: string;
}

const rows: Row[] = [];
const agent = new Agent({ keepAlive: true, maxSockets: users });
const server = await startPostgres({ isDurable: true });
try {
  await measure('SQLite', {});
  await measure('PostgreSQL', { DATABASE_URL: server.url });
} finally {
  await server.stop();
  agent.destroy();
}
report();

async function measure(store: string, env: Readonly<Record<string, string>>): Promise<void> {
  const api = await startBuiltApi({ ...env, REFRESH_SESSION_LIMIT: 'off' });
  try {
    const tokens = await openSessions(api);
    for (const atOnce of [1, 16, users]) await refreshAll(`${store}, ${atOnce} at once`, api, tokens, atOnce);
  } finally {
    await api.stop();
  }
}

/** Refreshes the session of each user, again and again as soon as a response arrives. */
async function refreshAll(subject: string, api: BuiltApi, tokens: string[], atOnce: number): Promise<void> {
  const took: number[] = [];
  let refused = 0;
  const startedAt = performance.now();
  const client = async (n: number): Promise<void> => {
    while (performance.now() < startedAt + seconds * 1000) {
      const { status, text, milliseconds } = await api.call({
        path: '/auth/refresh',
        agent,
        body: { refresh_token: tokens[n] },
      });
      if (status === 503) refused += 1;
      else if (status === 200) tokens[n] = JSON.parse(text).refresh_token;
      else throw new Error(`a valid token was answered ${status}: ${text}`);
      if (status === 200) took.push(milliseconds);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, (_, n) => client(n)));
  const passed = (performance.now() - startedAt) / 1000;
  rows.push(
    { case: 'refreshes', subject, value: Math.round(took.length / passed), unit: 'a second' },
    { case: 'p99', subject, value: Math.round(at(took, 0.99)), unit: 'ms' },
    { case: 'refused', subject, value: round((100 * refused) / (took.length + refused)), unit: '%' },
  );
}

async function openSessions(api: BuiltApi): Promise<string[]> {
  const tokens: string[] = [];
  while (tokens.length < users) {
    const [email, headers] = [`user-${tokens.length}@example.com`, fromAnyAddress()];
    await api.call({ path: '/users', headers, body: { email, password } });
    const { status, text } = await api.call({
      path: '/auth/sessions',
      headers,
      body: { username: email, password },
    });
    if (status !== 200 && status !== 201) throw new Error(`a sign-in was answered ${status}: ${text}`);
    tokens.push(JSON.parse(text).refresh_token);
  }
  return tokens;
}

function at(took: readonly number[], share: number): number {
  const sorted = took.toSorted((left, right) => left - right);
  return sorted[Math.round((sorted.length - 1) * share)] ?? Number.NaN;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function report(): void {
  if (values.json) {
    process.stdout.write(`${JSON.stringify(rows)}\n`);
    return;
  }
  const load = loadavg().map((number) => number.toFixed(1));
  process.stdout.write(
    `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model}, load ${load.join(' ')}\n`,
  );
  for (const row of rows) process.stdout.write(`${row.subject} · ${row.case}: ${row.value} ${row.unit}\n`);
}
