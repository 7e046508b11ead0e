/**
 * The time from the start of the built `api` on an empty folder to the first 200 of `GET /`, and the memory that it
 * uses then; as a baseline, a bare Node. Build first: `npm run build`.
 *
 * `--quick` makes 3 starts instead of 15; `--json` writes rows `{case, subject, value, unit}`.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { freePort } from './free-port.mts';

const { values } = parseArgs({ options: { quick: { type: 'boolean' }, json: { type: 'boolean' } } });
const starts = values.quick ? 3 : 15;
const entry = join(import.meta.dirname, '../dist/apps/api/main.js');

interface Start {
  readonly milliseconds: number;
  /** Resident, in MiB; NaN if the system does not provide it. */
  readonly mebibytes: number;
}

interface Row {
  readonly case: string;
  readonly subject: string;
  readonly value: number;
  readonly unit: string;
}

if (!existsSync(entry)) throw new Error(`There is no ${entry}: run npm run build first.`);
const ours: Start[] = [];
const bare: Start[] = [];
for (let n = 0; n < starts; n += 1) {
  ours.push(await startApi());
  bare.push(await startNode());
}
report([...rowsOf('api', ours), ...rowsOf('bare node', bare)]);

async function startApi(): Promise<Start> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-start-'));
  const port = await freePort();
  const begun = performance.now();
  const program = spawn(process.execPath, [entry], {
    cwd: folder,
    env: { PATH: process.env.PATH, PORT: String(port), DATABASE_URL: 'sqlite:data/sluice.db' },
    stdio: 'ignore',
  });
  await firstAnswer(`http://127.0.0.1:${port}/`);
  const start = { milliseconds: performance.now() - begun, mebibytes: residentMemory(program) };
  program.kill('SIGTERM');
  await once(program, 'exit');
  rmSync(folder, { recursive: true });
  return start;
}

async function startNode(): Promise<Start> {
  const begun = performance.now();
  const node = spawn(process.execPath, ['-e', 'console.log(1); setInterval(() => {}, 1000)'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(node.stdout, 'data');
  const start = { milliseconds: performance.now() - begun, mebibytes: residentMemory(node) };
  node.kill();
  return start;
}

/** Polls until the server answers, which a benchmark may do. */
async function firstAnswer(url: string): Promise<void> {
  const deadline = performance.now() + 30_000;
  while (performance.now() < deadline) {
    const response = await fetch(url).catch(() => undefined);
    if (response?.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error('The program did not answer within 30 s.');
}

function residentMemory({ pid }: ChildProcess): number {
  const file = `/proc/${pid}/status`;
  if (!existsSync(file)) return Number.NaN;
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(file, 'utf8'))?.[1]) / 1024;
}

function rowsOf(subject: string, all: readonly Start[]): Row[] {
  return [
    ...spread(
      'first answer',
      subject,
      'ms',
      all.map(({ milliseconds }) => milliseconds),
    ),
    ...spread(
      'resident memory',
      subject,
      'MiB',
      all.map(({ mebibytes }) => mebibytes),
    ),
  ];
}

function spread(name: string, subject: string, unit: string, all: readonly number[]): Row[] {
  const sorted = all.toSorted((a, b) => a - b);
  const at = (part: number) => Math.round(sorted[Math.round((sorted.length - 1) * part)] ?? Number.NaN);
  return [
    { case: `${name}, median`, subject, value: at(0.5), unit },
    { case: `${name}, least`, subject, value: at(0), unit },
    { case: `${name}, most`, subject, value: at(1), unit },
  ];
}

function report(rows: readonly Row[]): void {
  if (values.json) {
    process.stdout.write(`${JSON.stringify(rows)}\n`);
    return;
  }
  const [cpu] = cpus();
  process.stdout.write(`${starts} starts, Node ${process.version}, ${cpus().length} × ${cpu?.model}\n`);
  for (const row of rows) process.stdout.write(`${row.case} · ${row.subject}: ${row.value} ${row.unit}\n`);
}
