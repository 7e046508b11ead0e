import '../../scripts/load-sources.mts';
import 'reflect-metadata';
import { once } from 'node:events';
import { inspect, parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import type { Difference, Tally } from '../../libs/engine/testing/validation/fuzz.ts';
import { type PackageFormat, packForFuzzing, usePacked } from './packed.mts';

/** A batch for a worker. */
interface Share {
  readonly seed: number;
  readonly cases: number;
  /** The format of the packed engine; `undefined` for the sources. */
  readonly packed: PackageFormat | undefined;
  /** A part of the names of the compared entries. */
  readonly entry: string | undefined;
}

/** A worker message with its progress and its result. */
interface Report {
  readonly tally: Tally;
  /** A case in which the results differ, as text; it stops the worker. */
  readonly difference?: string;
}

const MILLION = 1_000_000;
const CASES_PER_REPORT = 10_000;

const share: Share = workerData;
await (isMainThread ? runAll() : runShare(share));

/**
 * Compares compiled validators with the two libraries, over generated classes, options and values. The first difference ends the
 * run, is printed, and sets the exit code to 1. Ctrl-C ends the run early and prints the totals.
 *
 * `--cases` sets the value count, `--seed` a different sequence, and `--workers` the thread count. `--only SEED` repeats a
 * difference. `--entry without` compares only functions with "without" in their names, such as validators without an instance.
 * `--packed import` and `--packed require` compare the packed engine instead of the sources.
 */
async function runAll(): Promise<void> {
  const { cases, seed, workers, only, packed, entry } = readArguments();
  if (packed) await packForFuzzing();
  if (only !== undefined) return compareOnly(only, packed, entry);
  const { Random } = await import('../../libs/engine/testing/validation/random.ts');
  const seeds = new Random(seed);
  const started = performance.now();
  const reports: Report[] = [];
  let millions = 0;
  const running = Array.from({ length: workers }, (_, at) => {
    const own: Share = { seed: seeds.seed(), cases: Math.ceil(cases / workers), packed, entry };
    const worker = new Worker(new URL(import.meta.url), {
      workerData: own,
      resourceLimits: { maxYoungGenerationSizeMb: 64 },
    });
    worker.on('message', (report: Report) => {
      reports[at] = report;
      const { cases: done } = sum(reports);
      if (done >= (millions + 1) * MILLION) {
        millions = Math.floor(done / MILLION);
        process.stderr.write(`${words(reports, seed, started)}\n`);
      }
      if (report.difference) stop();
    });
    return { worker, ended: once(worker, 'exit') };
  });
  const stop = (): void => running.forEach(({ worker }) => void worker.terminate());
  process.once('SIGINT', stop);
  await Promise.all(running.map(({ ended }) => ended));
  const [difference] = reports.flatMap((report) => report.difference ?? []);
  if (difference) process.stdout.write(`${difference}\n`);
  process.stdout.write(`${words(reports, seed, started)}\n`);
  process.exitCode = difference || sum(reports).cases < cases ? 1 : 0;
}

function readArguments() {
  const { values } = parseArgs({
    options: {
      cases: { type: 'string', default: '100000' },
      seed: { type: 'string', default: '1' },
      workers: { type: 'string', default: '1' },
      only: { type: 'string' },
      packed: { type: 'string' },
      entry: { type: 'string' },
    },
  });
  const { cases, seed, workers, only, packed, entry } = values;
  if (packed !== undefined && packed !== 'import' && packed !== 'require')
    throw new TypeError(`--packed is import or require, and not ${packed}.`);
  return { cases: Number(cases), seed: Number(seed), workers: Number(workers), only, packed, entry } as const;
}

async function runShare({ seed, cases, packed, entry }: Share): Promise<void> {
  const { fuzz, nestParts, withoutLog } = await loadFuzz(packed);
  let reported = 0;
  const report = (so: Tally): void => {
    if (so.cases < reported + CASES_PER_REPORT) return;
    reported = so.cases;
    tell({ tally: so });
  };
  const { tally, difference } = await withoutLog(() =>
    fuzz(seed, cases, { ...nestParts, entryName: entry }, report),
  );
  tell(difference ? { tally, difference: describe(difference) } : { tally });
}

function tell(message: Report): void {
  parentPort?.postMessage(message, []);
}

/** Compares only the class with the seed that a printed difference names. */
async function compareOnly(seed: string, packed: PackageFormat | undefined, entry?: string): Promise<void> {
  const { validateClass, nestParts, withoutLog } = await loadFuzz(packed);
  const difference = await withoutLog(() => validateClass(Number(seed), { ...nestParts, entryName: entry }));
  process.stdout.write(`${difference ? describe(difference) : `seed ${seed}: no difference`}\n`);
  process.exitCode = difference ? 1 : 0;
}

/** The shapes are loaded first, so that they observe each decorator. */
async function loadFuzz(packed: PackageFormat | undefined) {
  if (packed) usePacked(packed);
  await import('../../libs/engine/src/index.ts');
  // class-transformer awaits thenables, and `validateSync` awaits nothing: rejections there are unhandled on both
  // sides.
  process.on('unhandledRejection', () => undefined);
  const parts = await import('../../libs/engine/testing/validation/nest-parts.ts');
  return { ...(await import('../../libs/engine/testing/validation/fuzz.ts')), ...parts };
}

function describe(difference: Difference): string {
  return inspect(difference, { depth: null, maxArrayLength: null, maxStringLength: null });
}

function sum(reports: readonly Report[]): Tally {
  const total: Tally = { cases: 0, classes: 0, bare: 0, code: 0, library: 0 };
  for (const report of reports)
    for (const name of ['cases', 'classes', 'bare', 'code', 'library'] as const)
      total[name] += report?.tally[name] ?? 0;
  return total;
}

function words(reports: readonly Report[], seed: number, started: number): string {
  const { cases, classes, bare, code } = sum(reports);
  const count = reports.filter((report) => report?.difference).length;
  const seconds = (performance.now() - started) / 1000;
  const compiled = `${classes} classes (${code} compiled, ${bare} without an instance)`;
  const rate = Math.round(cases / seconds);
  return `seed ${seed}: ${cases} cases of ${compiled}, ${count || 'no'} difference${count > 1 ? 's' : ''}; ${seconds.toFixed(0)} s, ${rate} cases a second`;
}
