/**
 * Measures the built `api` from its start on an empty folder to the first 200 response from `GET /`. It reports the time, the
 * processor time until then, and the memory three seconds later, when garbage is collected. A bare Node is the baseline. Build
 * first: `npm run build`. After `npm run pack api` it measures the packed program as well.
 *
 * `--quick` makes 3 starts instead of 15. `--json` writes rows `{case, subject, value, unit}`.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { freePort } from '../tools/drill/programs/free-port.mts';

const { values } = parseArgs({ options: { quick: { type: 'boolean' }, json: { type: 'boolean' } } });
const starts = values.quick ? 3 : 15;
/** The time until the memory is measured. Garbage is collected in the first idle second. */
const settleMs = 3000;
const entry = join(import.meta.dirname, '../dist/apps/api/main.js');
const packed = join(import.meta.dirname, '../dist/packed/api');

interface Start {
  readonly milliseconds: number;
  /** The user and system time, or NaN if the system does not provide it. */
  readonly processorMilliseconds: number;
  /** The resident memory after settling in MiB, or NaN if the system does not provide it. */
  readonly mebibytes: number;
}

interface Row {
  readonly case: string;
  readonly subject: string;
  readonly value: number;
  readonly unit: string;
}

if (!existsSync(entry)) throw new Error(`There is no ${entry}: run npm run build first.`);
const subjects = new Map([['api', () => startApi(entry)]]);
const elsewhere = mkdtempSync(join(tmpdir(), 'sluice-packed-'));
if (existsSync(packed)) {
  // Nest loads optional packages that it finds in a folder above, here those of the workspace: 0.2 s.
  cpSync(packed, elsewhere, { recursive: true });
  subjects.set('api, packed', () => startApi(join(elsewhere, 'main.js')));
}
subjects.set('bare node', startNode);
const measured = new Map([...subjects.keys()].map((subject): [string, Start[]] => [subject, []]));
try {
  for (let n = 0; n < starts; n += 1)
    for (const [subject, start] of subjects) measured.get(subject)?.push(await start());
} finally {
  rmSync(elsewhere, { recursive: true });
}
report([...measured].flatMap(([subject, all]) => rowsOf(subject, all)));

async function startApi(main: string): Promise<Start> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-start-'));
  const port = await freePort();
  const begun = performance.now();
  const program = spawn(process.execPath, [main], {
    cwd: folder,
    env: { PATH: process.env.PATH, PORT: String(port), DATABASE_URL: 'sqlite:data/sluice.db' },
    stdio: 'ignore',
  });
  await firstAnswer(`http://127.0.0.1:${port}/`);
  const start = await startOf(program, performance.now() - begun, settleMs);
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
  const start = await startOf(node, performance.now() - begun, 0);
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

async function startOf(child: ChildProcess, milliseconds: number, beforeMs: number): Promise<Start> {
  const processorMilliseconds = processorTime(child);
  await new Promise((resolve) => setTimeout(resolve, beforeMs));
  return { milliseconds, processorMilliseconds, mebibytes: residentMemory(child) };
}

/** Returns the processor time. Linux counts it in hundredths of a second (proc_pid_stat(5), fields 14 and 15). */
function processorTime({ pid }: ChildProcess): number {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return Number.NaN;
  const fields = readFileSync(file, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
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
      'processor time',
      subject,
      'ms',
      all.map(({ processorMilliseconds }) => processorMilliseconds),
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
