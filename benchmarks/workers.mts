/**
 * Compares a single process with several processes on the same port: `npm run build && npm run bench -- workers`. The load
 * generator takes a core, so on two cores CPU time per request says more than requests per second.
 *
 * `--quick` measures 2 rounds for 1 s each instead of 6 rounds for 3 s. `--json` writes rows `{case, subject, value, unit}`.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { freePort } from '../tools/drill/programs/free-port.mts';
import { type DrillProgram, startProgram } from '../tools/drill/programs/program.mts';
import { root } from '../scripts/workspace.mts';
import type { Request } from './http/routes.mts';
import { startLoad } from './http/server.mts';

const { values } = parseArgs({ options: { quick: { type: 'boolean' }, json: { type: 'boolean' } } });
const { rounds, measureMs } = values.quick ? { rounds: 2, measureMs: 1000 } : { rounds: 6, measureMs: 3000 };
const warmUpMs = 1500;
const connections = 50;
const administrator = { username: 'bench@example.com', password: 'correct horse battery staple' };
const millisecondsPerTick = 10;

const cases: readonly (Request & { readonly title: string; readonly status: number })[] = [
  { title: 'GET /items?limit=10', method: 'GET', path: '/items?limit=10', needsToken: true, status: 200 },
  {
    title: 'POST /posts',
    method: 'POST',
    path: '/posts',
    needsToken: true,
    body: { slug: 'bench-00000000' },
    status: 201,
  },
];

interface Subject {
  readonly name: string;
  readonly program: DrillProgram;
  readonly token: string;
}

interface Row {
  readonly case: string;
  readonly subject: string;
  readonly value: number;
  readonly unit: string;
}

const folder = mkdtempSync(join(tmpdir(), 'sluice-workers-'));
const load = startLoad();
const subjects: Subject[] = [];
try {
  for (const workers of ['1', '2']) subjects.push(await start(workers));
  const samples: Row[] = [];
  for (let round = 0; round < rounds; round++)
    for (const subject of round % 2 === 0 ? subjects : subjects.toReversed())
      samples.push(...(await measure(subject)));
  for (const { name, program } of subjects)
    samples.push({
      case: 'resident memory',
      subject: name,
      value: memoryOf(program.child.pid ?? 0),
      unit: 'MiB',
    });
  print(medians(samples));
} finally {
  load.stop();
  for (const { program } of subjects) await program.stop();
  rmSync(folder, { recursive: true });
}

async function start(workers: string): Promise<Subject> {
  const env = {
    WORKERS: workers,
    PORT: String(await freePort()),
    DATABASE_URL: `sqlite:${join(folder, `${workers}.db`)}`,
    ADMIN_EMAIL: administrator.username,
    ADMIN_PASSWORD: administrator.password,
    ACCESS_TOKEN_TTL: '1h',
    MAX_DELAY: 'off',
    NODE_ENV: 'production',
  };
  const file = join(root, 'dist/apps/api/main.js');
  const program = await startProgram({ file, cwd: folder, logFile: join(folder, `${workers}.log`), env });
  const response = await fetch(`${program.url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(administrator),
  });
  const { access_token: token }: { access_token: string } = JSON.parse(await response.text());
  return { name: workers === '1' ? '1 worker' : `${workers} workers`, program, token };
}

async function measure({ name, program, token }: Subject): Promise<Row[]> {
  const rows: Row[] = [];
  const tokens = Array.from({ length: connections }, () => token);
  const port = Number(new URL(program.url).port);
  for (const { title, status, ...request } of cases) {
    await load.run({ port, request, status, tokens, milliseconds: warmUpMs });
    const before = cpuMs(program.child.pid ?? 0);
    const { requests, perSecond, p99 } = await load.run({
      port,
      request,
      status,
      tokens,
      milliseconds: measureMs,
    });
    const micros = ((cpuMs(program.child.pid ?? 0) - before) * 1000) / requests;
    rows.push({ case: `${title}, CPU per request`, subject: name, value: micros, unit: 'µs' });
    rows.push({ case: `${title}, requests`, subject: name, value: perSecond, unit: '1/s' });
    rows.push({ case: `${title}, p99`, subject: name, value: p99, unit: 'ms' });
  }
  return rows;
}

/** Returns the CPU time of a process and its children, from the 14th and 15th fields in `stat`. */
function cpuMs(pid: number): number {
  return family(pid)
    .map((member) => readFileSync(`/proc/${member}/stat`, 'latin1').split(' ').slice(13, 15).map(Number))
    .reduce((sum, [user = 0, system = 0]) => sum + (user + system) * millisecondsPerTick, 0);
}

function memoryOf(pid: number): number {
  return family(pid)
    .map((member) => /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${member}/status`, 'latin1'))?.[1])
    .reduce((sum, kibibytes) => sum + Number(kibibytes) / 1024, 0);
}

function family(pid: number): readonly number[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'latin1').split(' ').filter(Boolean).map(Number),
  );
  return [pid, ...children];
}

function medians(samples: readonly Row[]): readonly Row[] {
  const groups = Map.groupBy(samples, (row) => `${row.case} ${row.subject}`);
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const sorted = [first, ...others].map(({ value }) => value).toSorted((a, b) => a - b);
    const middle = sorted[Math.floor(sorted.length / 2)] ?? first.value;
    return { ...first, value: Math.round(middle * 10) / 10 };
  });
}

function print(rows: readonly Row[]): void {
  const lines = rows.map((row) => `${row.case}: ${row.subject}: ${row.value} ${row.unit}`);
  process.stdout.write(`${values.json ? JSON.stringify(rows) : lines.join('\n')}\n`);
}
