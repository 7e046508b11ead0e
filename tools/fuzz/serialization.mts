import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { packForFuzzing } from './packed.mts';
import type { Batch, Report } from './serialization-worker.mts';

const { values: options } = parseArgs({
  options: {
    cases: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    workers: { type: 'string', default: '1' },
    tree: { type: 'string' },
    packed: { type: 'string' },
  },
});
if (options.packed !== undefined && options.packed !== 'import' && options.packed !== 'require')
  throw new TypeError(`--packed is import or require, and not ${options.packed}.`);
if (options.packed) await packForFuzzing();

/** Class trees per batch. */
const BATCH = 20;
/** The number of values between two progress lines. */
const PROGRESS = 1_000_000;

const started = performance.now();
const done = { values: 0, trees: 0, classes: 0, direct: 0, leftWhole: 0, milliseconds: 0 };
const workers: Worker[] = [];
let handedOut = 0;
let isOver = false;

run();

/**
 * Compares compiled serializers with class-transformer for `--cases` values, each a random value for a random class with random
 * options. The first difference ends the run, is printed with its class tree seed, and sets the exit code to 1. `--tree`
 * compares only that class tree.
 *
 * The values depend on the seed only and are the same for any worker count. `--packed import` and `--packed require` compare the
 * packed engine instead of the sources. Ctrl-C ends the run early and prints the totals.
 */
function run(): void {
  process.once('SIGINT', () => (isOver = true));
  for (let at = 0; at < (options.tree === undefined ? Number(options.workers) : 1); at++) {
    const worker = new Worker(new URL('serialization-worker.mts', import.meta.url), {
      workerData: options.packed,
      resourceLimits: { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 64 },
    });
    workers.push(worker);
    worker.on('message', (report: Report) => receive(worker, report));
    worker.on('error', (error) => {
      throw error;
    });
    hand(worker);
  }
}

function receive(worker: Worker, report: Report): void {
  if (report.difference !== undefined) return fail(report.difference);
  const before = Math.floor(done.values / PROGRESS);
  for (const name of ['values', 'trees', 'classes', 'direct', 'leftWhole', 'milliseconds'] as const)
    done[name] += report[name];
  if (Math.floor(done.values / PROGRESS) > before) process.stderr.write(`${soFar()}\n`);
  hand(worker);
}

/** Sends a worker its next batch, or stops it. */
function hand(worker: Worker): void {
  const seeds = nextSeeds();
  if (seeds.length > 0) return worker.postMessage({ seeds } satisfies Batch, []);
  void worker.terminate();
  workers.splice(workers.indexOf(worker), 1);
  if (workers.length === 0) finish();
}

function nextSeeds(): number[] {
  if (options.tree !== undefined) return handedOut++ === 0 ? [Number(options.tree)] : [];
  if (isOver || done.values >= Number(options.cases)) return [];
  const first = (Math.imul(Number(options.seed), 0x9e_37_79_b1) >>> 0) + handedOut;
  handedOut += BATCH;
  return Array.from({ length: BATCH }, (_, at) => first + at);
}

function fail(difference: string): void {
  isOver = true;
  for (const worker of workers) void worker.terminate();
  print(difference);
  print(`seed ${options.seed}: a difference, after ${soFar()}`);
  process.exitCode = 1;
}

function finish(): void {
  if (process.exitCode === 1) return;
  const { trees, direct, leftWhole } = done;
  print(
    `${trees} class trees; ${direct} responses without an instance; ${leftWhole} values serialized by the library as a whole`,
  );
  print(`seed ${options.seed}: no difference in ${soFar()}`);
}

function soFar(): string {
  const seconds = (performance.now() - started) / 1000;
  const rate = Math.round(done.values / seconds);
  const ownRate = Math.round((done.values * 1000) / done.milliseconds);
  const memory = Math.round(process.memoryUsage.rss() / 1_048_576);
  return `${done.values} values of ${done.classes} classes, ${seconds.toFixed(0)} s, ${rate} a second, ${ownRate} a second of processor; ${memory} MiB`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
