/**
 * Measures `GET /items` during 500 sign-ins or password resets a second. It reports the latencies when idle and during three
 * floods, the flood results, and failed health requests. It uses the built `api` on a free port and an empty folder, or on the
 * database that `DATABASE_URL` names. Build first: `npm run build`.
 *
 * The floods:
 * - `one address` reaches its limit after a hundred requests.
 * - `many addresses` sends `X-Forwarded-For` like a proxy, with a new address and account each time, so that only the hashing
 *   queue limits it.
 * - `resets` requests password resets in the same way, for existing and unknown accounts in turn.
 *
 * `--quick` floods for 8 s instead of 30 s. `--json` writes rows `{case, subject, value, unit}`.
 */
import { existsSync, readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { cpus, loadavg } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Call, fromAnyAddress, type Reply, startBuiltApi } from './built-api.mts';

const { values } = parseArgs({ options: { quick: { type: 'boolean' }, json: { type: 'boolean' } } });
const seconds = values.quick ? { idle: 5, flood: 8 } : { idle: 15, flood: 30 };
const rates = { flood: 500, items: 100, health: 10 };
const accounts = 20;
const [floodAgent, itemsAgent, healthAgent] = [0, 1, 2].map(
  () => new Agent({ keepAlive: true, maxSockets: 400 }),
);

interface Row {
  readonly case: string;
  readonly subject: string;
  readonly value: number;
  readonly unit: string;
}

/** The result of a period. */
interface Stretch {
  readonly items: readonly Reply[];
  readonly health: readonly Reply[];
  readonly flood: readonly Reply[];
  /** The p99 delay of the load generator in milliseconds. */
  readonly loadDelay: number;
  readonly core: CoreTime;
}

/** The scheduling of the program's main thread in seconds, or NaN if the system does not provide it. */
interface CoreTime {
  readonly ran: number;
  /** The time in which the thread was ready but had no core, because of other work on the machine. */
  readonly waited: number;
}

const api = await startBuiltApi();
try {
  await prepare();
  await observe(2);
  const idle = await observe(seconds.idle);
  const stretch = await observe(seconds.flood, (n) => signIn(n, {}));
  const many = await observe(seconds.flood, (n) => signIn(n, fromAnyAddress()));
  const resets = await observe(seconds.flood, reset);
  report([
    ...rowsOf('idle', idle),
    ...rowsOf('one address', stretch),
    ...rowsOf('many addresses', many),
    ...rowsOf('resets', resets),
  ]);
} finally {
  await api.stop();
  for (const agent of [floodAgent, itemsAgent, healthAgent]) agent.destroy();
}

/** Creates items to read and accounts to reset. */
async function prepare(): Promise<void> {
  for (let n = 0; n < 20; n += 1) {
    const body = { sku: `sku-${n}-${api.port}`, name: `item ${n}`, price: n };
    await create({ path: '/items', headers: api.authorization, body });
  }
  for (let n = 0; n < accounts; n += 1) {
    await create({ path: '/users', body: { email: emailOf(n), password: 'a password of somebody' } });
  }
}

async function create(call: Call): Promise<void> {
  const { status } = await api.call(call);
  if (status !== 201) throw new Error(`could not create by ${call.path}: ${status}`);
}

function emailOf(n: number): string {
  return `somebody-${n}-${api.port}@example.com`;
}

/** Measures items and health, during a flood if there is a flood. */
async function observe(duration: number, flood?: (n: number) => Call): Promise<Stretch> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const before = coreTime();
  const [items, health, flooded] = await Promise.all([
    atRate(rates.items, duration, () => ({ path: '/items', agent: itemsAgent, headers: api.authorization })),
    atRate(rates.health, duration, () => ({ path: '/health/ready', agent: healthAgent })),
    flood ? atRate(rates.flood, duration, flood) : [],
  ]);
  delay.disable();
  if (items.some(({ status }) => status !== 200)) throw new Error('GET /items was refused.');
  const after = coreTime();
  const core = { ran: after.ran - before.ran, waited: after.waited - before.waited };
  return { items, health, flood: flooded, loadDelay: delay.percentile(99) / 1e6, core };
}

function coreTime(): CoreTime {
  const { pid } = api.program;
  const file = `/proc/${pid}/task/${pid}/schedstat`;
  if (!existsSync(file)) return { ran: Number.NaN, waited: Number.NaN };
  const [ran = Number.NaN, waited = Number.NaN] = readFileSync(file, 'utf8').split(' ').map(Number);
  return { ran: ran / 1e9, waited: waited / 1e9 };
}

function signIn(n: number, headers: Readonly<Record<string, string>>): Call {
  const body = { username: `nobody-${n}-${Math.random()}@example.com`, password: 'a password of nobody' };
  return { path: '/auth/login', agent: floodAgent, headers, body };
}

function reset(n: number): Call {
  const username = n % 2 === 0 ? emailOf(n % accounts) : `nobody-${n}-${Math.random()}@example.com`;
  return {
    path: '/auth/password-resets',
    agent: floodAgent,
    headers: fromAnyAddress(),
    body: { username },
  };
}

/** Starts calls at a fixed rate, independent of earlier calls, and waits for all calls. */
async function atRate(perSecond: number, duration: number, callOf: (n: number) => Call): Promise<Reply[]> {
  const calls: Promise<Reply>[] = [];
  const begun = performance.now();
  while (calls.length < perSecond * duration) {
    const due = Math.min(((performance.now() - begun) / 1000) * perSecond, perSecond * duration);
    while (calls.length < due) calls.push(api.call(callOf(calls.length)));
    await pause(2);
  }
  return Promise.all(calls);
}

function rowsOf(subject: string, { items, health, flood, loadDelay, core }: Stretch): Row[] {
  const row = (name: string, value: number, unit: string): Row => ({ case: name, subject, value, unit });
  const latencies = (name: string, replies: readonly Reply[]) =>
    (
      [
        ['p50', 0.5],
        ['p99', 0.99],
        ['most', 1],
      ] as const
    ).map(([part, share]) => row(`${name}, ${part}`, at(share, replies), 'ms'));
  const statuses = [...new Set(flood.map(({ status }) => status))].toSorted((a, b) => a - b);
  return [
    ...latencies('GET /items', items),
    row('health that failed', health.filter(({ status }) => status !== 200).length, `of ${health.length}`),
    ...statuses.flatMap((status) => {
      const answered = flood.filter((reply) => reply.status === status);
      return [
        row(`flood answered ${status}`, answered.length, `of ${flood.length}`),
        row(`flood answered ${status}, p99`, at(0.99, answered), 'ms'),
      ];
    }),
    row('the program ran', round(core.ran), 's'),
    row('the program waited for a core', round(core.waited), 's'),
    row('delay of the load itself, p99', round(loadDelay), 'ms'),
  ];
}

function at(share: number, replies: readonly Reply[]): number {
  const sorted = replies.map(({ milliseconds }) => milliseconds).toSorted((a, b) => a - b);
  return round(sorted[Math.round((sorted.length - 1) * share)] ?? Number.NaN);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function report(rows: readonly Row[]): void {
  if (values.json) {
    process.stdout.write(`${JSON.stringify(rows)}\n`);
    return;
  }
  const [cpu] = cpus();
  const load = loadavg().map((number) => number.toFixed(1));
  process.stdout.write(`Node ${process.version}, ${cpus().length} × ${cpu?.model}, load ${load.join(' ')}\n`);
  for (const row of rows) process.stdout.write(`${row.subject} · ${row.case}: ${row.value} ${row.unit}\n`);
}
