import '../scripts/load-sources.mts';
import 'reflect-metadata';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { type Effort, measure, type Row } from './measure.ts';
import type { Case } from './validation-cases.ts';

const { values: flags } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    others: { type: 'string', default: '100,500' },
    only: { type: 'string', default: '' },
    rounds: { type: 'string', default: '' },
    milliseconds: { type: 'string', default: '' },
    processor: { type: 'boolean', default: false },
  },
});

void run();

/**
 * Times every way to validate a value, after checking their results: `npm run bench -- validation`.
 *
 * `--quick` takes less than a minute. `--json` writes rows `{case, subject, value, unit}`. `--only TEXT` measures the cases with
 * TEXT in their name. `--others 100,500` sets how many more classes exist. `--rounds` and `--milliseconds` set the effort.
 * `--processor` measures processor time, for a machine with other work.
 */
async function run(): Promise<void> {
  await import('../libs/engine/src/index.ts');
  const { declareOthers } = await import('./validation-classes.ts');
  const { cases, compileOne, LIBRARIES, OURS, PIPE } = await import('./validation-cases.ts');
  const { installedPipeSoon } = await import('../libs/engine/src/nest/pipe/installed.pipe.ts');
  // Until then a pipe answers with promises.
  await installedPipeSoon();
  const all = cases();
  const chosen = all.filter(({ name }) => name.includes(flags.only));
  const effort = effortOf(flags.quick ? { rounds: 7, milliseconds: 15 } : { rounds: 25, milliseconds: 60 });
  const rows: Row[] = [];
  for (const entry of chosen) {
    entry.check();
    rows.push(...measure(entry.name, entry.subjects, effort));
    rows.push(...(await measureWaited(entry.name, entry.waited ?? {}, effort)));
  }
  rows.push(...measureAmongOthers(all, effort, { declareOthers, kept: [LIBRARIES, OURS, PIPE] }));
  if (flags.only === '') rows.push(...measureCompiling(compileOne));
  if (flags.json) return print(JSON.stringify(rows));
  print(`node ${process.version}, ${cpus()[0]?.model ?? 'unknown processor'}`);
  print('medians of rounds; the ratio is the time of the two libraries over the subject’s');
  const baselines = new Map(chosen.map(({ name, baseline }) => [name, baseline ?? LIBRARIES]));
  for (const name of new Set(rows.map((row) => row.case)))
    printTable(
      name,
      rows.filter((row) => row.case === name),
      baselines.get(name) ?? LIBRARIES,
    );
}

/** The cases to repeat beside many other decorated classes, over which class-validator iterates. */
const AMONG_OTHERS = new Set(['UserCreate, valid', 'CreateOrder, valid']);

/**
 * Repeats cases beside many other decorated classes.
 *
 * @param kept the subjects to measure
 */
function measureAmongOthers(
  cases: readonly Case[],
  effort: Effort,
  { declareOthers, kept }: { declareOthers: (count: number) => void; kept: readonly string[] },
): Row[] {
  const counts = flags.others.split(',').map(Number);
  return counts.flatMap((count, at) => {
    declareOthers(count - (counts[at - 1] ?? 0));
    return cases.flatMap(({ name, subjects }) => {
      const title = `${name}, among ${count} other classes`;
      const chosen = Object.entries(subjects).filter(([subject]) => kept.includes(subject));
      const isAsked = AMONG_OTHERS.has(name) && title.includes(flags.only);
      return isAsked ? measure(title, Object.fromEntries(chosen), effort) : [];
    });
  });
}

/** Returns an effort with many short rounds, because the best rounds on a busy machine are free from interruptions. */
function effortOf(usual: Effort): Effort {
  return {
    rounds: Number(flags.rounds || usual.rounds),
    milliseconds: Number(flags.milliseconds || usual.milliseconds),
    clock: flags.processor ? 'processor' : 'day',
  };
}

/** Measures like `measure`, for subjects that return a promise. */
async function measureWaited(
  name: string,
  subjects: Readonly<Record<string, () => Promise<unknown>>>,
  { rounds, milliseconds }: Effort,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [subject, ask] of Object.entries(subjects)) {
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) times.push(await nanosecondsOf(ask, milliseconds));
    times.sort((left, right) => left - right);
    const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN;
    rows.push({ case: name, subject, value: at(0.5), unit: 'ns' });
    rows.push({ case: name, subject, value: at(0), unit: 'ns at best' });
  }
  return rows;
}

async function nanosecondsOf(ask: () => Promise<unknown>, milliseconds: number): Promise<number> {
  let calls = 0;
  const started = performance.now();
  while (performance.now() - started < milliseconds) {
    for (let call = 0; call < 50; call++) await ask();
    calls += 50;
  }
  return ((performance.now() - started) * 1e6) / calls;
}

const COMPILING = 'compiling a class of eight rules, first check included';

function measureCompiling(compileOne: (at: number) => () => unknown): Row[] {
  const asks = Array.from({ length: 400 }, (_, at) => compileOne(at));
  for (const ask of asks.slice(0, 200)) ask();
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  const times = asks.slice(200).map((ask) => {
    const started = process.hrtime.bigint();
    ask();
    return Number(process.hrtime.bigint() - started);
  });
  globalThis.gc?.();
  const kept = (process.memoryUsage().heapUsed - before) / times.length;
  times.sort((left, right) => left - right);
  return [
    { case: COMPILING, subject: 'ours', value: times[100] ?? Number.NaN, unit: 'ns' },
    { case: COMPILING, subject: 'ours', value: kept, unit: 'bytes' },
  ];
}

function printTable(name: string, rows: readonly Row[], libraries: string): void {
  print(`\n${name}`);
  for (const { subject, value, unit } of rows) {
    const baseline = rows.find((row) => row.subject === libraries && row.unit === unit)?.value;
    const ratio = unit === 'bytes' || baseline === undefined ? '' : `${(baseline / value).toFixed(1)}x`;
    print(`  ${subject.padEnd(44)} ${value.toFixed(1).padStart(12)} ${unit.padEnd(10)} ${ratio}`);
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
