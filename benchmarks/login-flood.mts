/**
 * `GET /items` during 500 sign-ins a second: its latencies idle and during two floods, the results of
 * the sign-ins, and failures of health requests. Uses the built `api`, on a free port of this machine and an empty
 * folder, or on the database that `DATABASE_URL` names. Build first: `npm run build`.
 *
 * The floods: `one address` reaches its limit after a hundred; `many addresses` sends `X-Forwarded-For` as a proxy would,
 * with a new address and account each time, so that only the hashing queue limits it.
 *
 * `--quick` floods for 8 s instead of 30; `--json` writes rows `{case, subject, value, unit}`.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { freePort } from './free-port.mts';

const { values } = parseArgs({ options: { quick: { type: 'boolean' }, json: { type: 'boolean' } } });
const seconds = values.quick ? { idle: 5, flood: 8 } : { idle: 15, flood: 30 };
const rates = { signIns: 500, items: 100, health: 10 };
const entry = join(import.meta.dirname, '../dist/apps/api/main.js');
const administrator = { email: 'admin@example.com', password: 'an administrator of benchmarks' };
/** A separate pool: a probe must not wait for a connection behind the flood. */
const agents = [0, 1, 2].map(() => new Agent({ keepAlive: true, maxSockets: 400 }));
const [floodAgent, itemsAgent, healthAgent] = agents;

interface Row {
  readonly case: string;
  readonly subject: string;
  readonly value: number;
  readonly unit: string;
}

interface Reply {
  readonly status: number;
  readonly text: string;
  readonly milliseconds: number;
}

interface Call {
  readonly path: string;
  readonly agent?: Agent;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** The result of one period. */
interface Stretch {
  readonly items: readonly Reply[];
  readonly health: readonly Reply[];
  readonly signIns: readonly Reply[];
  /** How late the load generator was, p99, in milliseconds. */
  readonly loadDelay: number;
  readonly core: CoreTime;
}

/** The scheduling of the program's main thread, in seconds; NaN if the system does not provide it. */
interface CoreTime {
  readonly ran: number;
  /** Time in which it was ready but had no core, because of other work on the machine. */
  readonly waited: number;
}

if (!existsSync(entry)) throw new Error(`There is no ${entry}: run npm run build first.`);
const folder = mkdtempSync(join(tmpdir(), 'sluice-flood-'));
const port = await freePort();
const program = startApi();
try {
  await firstAnswer();
  const token = await prepare();
  await observe(2, token);
  const idle = await observe(seconds.idle, token);
  const one = await observe(seconds.flood, token, () => ({}));
  const many = await observe(seconds.flood, token, () => ({ 'x-forwarded-for': anyAddress() }));
  report([...rowsOf('idle', idle), ...rowsOf('one address', one), ...rowsOf('many addresses', many)]);
} finally {
  await stop(program);
  for (const agent of agents) agent.destroy();
  rmSync(folder, { recursive: true });
}

/** Pinned to a core of its own, if the system supports it. */
function startApi(): ChildProcess {
  const isApart =
    process.platform === 'linux' && availableParallelism() > 2 && existsSync('/usr/bin/taskset');
  const apart = isApart ? ['/usr/bin/taskset', '-c', `1-${availableParallelism() - 1}`] : [];
  const [command, ...args] = [...apart, process.execPath, entry];
  return spawn(command, args, {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      DATABASE_URL: process.env.DATABASE_URL ?? 'sqlite:data/sluice.db',
      JWT_SECRET: 'a secret of benchmarks, long enough to sign with',
      ADMIN_EMAIL: administrator.email,
      ADMIN_PASSWORD: administrator.password,
      ACCESS_TOKEN_TTL: '1h',
      TRUST_PROXY: 'loopback',
      LOG_LEVEL: 'error',
    },
    stdio: 'ignore',
  });
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

/** Creates items, and a token to read them. */
async function prepare(): Promise<string> {
  const { email: username, password } = administrator;
  const { access_token: token } = JSON.parse(
    (await call({ path: '/auth/login', body: { username, password } })).text,
  );
  for (let n = 0; n < 20; n += 1) {
    const body = { sku: `sku-${n}-${port}`, name: `item ${n}`, price: n };
    const { status } = await call({ path: '/items', headers: bearer(token), body });
    if (status !== 201) throw new Error(`could not create an item: ${status}`);
  }
  return token;
}

/** Measures items and health, optionally during a flood of sign-ins. */
async function observe(
  duration: number,
  token: string,
  flood?: () => Readonly<Record<string, string>>,
): Promise<Stretch> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const before = coreTime();
  const [items, health, signIns] = await Promise.all([
    atRate(rates.items, duration, () => call({ path: '/items', agent: itemsAgent, headers: bearer(token) })),
    atRate(rates.health, duration, () => call({ path: '/health/ready', agent: healthAgent })),
    flood ? atRate(rates.signIns, duration, (n) => signIn(n, flood())) : [],
  ]);
  delay.disable();
  if (items.some(({ status }) => status !== 200)) throw new Error('GET /items was refused.');
  const after = coreTime();
  const core = { ran: after.ran - before.ran, waited: after.waited - before.waited };
  return { items, health, signIns, loadDelay: delay.percentile(99) / 1e6, core };
}

function coreTime(): CoreTime {
  const file = `/proc/${program.pid}/task/${program.pid}/schedstat`;
  if (!existsSync(file)) return { ran: Number.NaN, waited: Number.NaN };
  const [ran = Number.NaN, waited = Number.NaN] = readFileSync(file, 'utf8').split(' ').map(Number);
  return { ran: ran / 1e9, waited: waited / 1e9 };
}

function signIn(n: number, headers: Readonly<Record<string, string>>): Promise<Reply> {
  const body = { username: `nobody-${n}-${Math.random()}@example.com`, password: 'a password of nobody' };
  return call({ path: '/auth/login', agent: floodAgent, headers, body });
}

/** Starts calls at a fixed rate, whether or not earlier ones have ended, and waits for all. */
async function atRate(
  perSecond: number,
  duration: number,
  begin: (n: number) => Promise<Reply>,
): Promise<Reply[]> {
  const calls: Promise<Reply>[] = [];
  const begun = performance.now();
  while (calls.length < perSecond * duration) {
    const due = Math.min(((performance.now() - begun) / 1000) * perSecond, perSecond * duration);
    while (calls.length < due) calls.push(begin(calls.length));
    await pause(2);
  }
  return Promise.all(calls);
}

/** Sends as a trusted proxy on this machine. */
function call({ path, agent, headers = {}, body }: Call): Promise<Reply> {
  const content = body && JSON.stringify(body);
  const begun = performance.now();
  return new Promise((resolve, reject) => {
    const asked = request({
      agent,
      host: '127.0.0.1',
      port,
      path,
      method: content ? 'POST' : 'GET',
      headers: { ...headers, ...(content ? { 'content-type': 'application/json' } : {}) },
    });
    asked.on('error', reject);
    asked.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('error', reject);
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const milliseconds = performance.now() - begun;
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString(), milliseconds });
      });
    });
    asked.end(content);
  });
}

function bearer(token: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${token}` };
}

function anyAddress(): string {
  return `10.${anyByte()}.${anyByte()}.${anyByte()}`;
}

function anyByte(): number {
  return Math.floor(Math.random() * 254) + 1;
}

/** Polls until the server answers, which a benchmark may do. */
async function firstAnswer(): Promise<void> {
  for (let n = 0; n < 300; n += 1) {
    const reply = await call({ path: '/health/ready' }).catch(() => undefined);
    if (reply?.status === 200) return;
    await pause(100);
  }
  throw new Error('The program did not answer within 30 s.');
}

function rowsOf(subject: string, { items, health, signIns, loadDelay, core }: Stretch): Row[] {
  const row = (name: string, value: number, unit: string): Row => ({ case: name, subject, value, unit });
  const latencies = (name: string, replies: readonly Reply[]) =>
    (
      [
        ['p50', 0.5],
        ['p99', 0.99],
        ['most', 1],
      ] as const
    ).map(([part, share]) => row(`${name}, ${part}`, at(share, replies), 'ms'));
  const statuses = [...new Set(signIns.map(({ status }) => status))].toSorted((a, b) => a - b);
  return [
    ...latencies('GET /items', items),
    row('health that failed', health.filter(({ status }) => status !== 200).length, `of ${health.length}`),
    ...statuses.flatMap((status) => {
      const answered = signIns.filter((reply) => reply.status === status);
      return [
        row(`sign-ins answered ${status}`, answered.length, `of ${signIns.length}`),
        row(`sign-ins answered ${status}, p99`, at(0.99, answered), 'ms'),
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
