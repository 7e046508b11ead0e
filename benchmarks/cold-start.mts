/**
 * Compares the first values of 200 classes in the packed engine and in the libraries: `npm run bench -- cold-start`. Processes
 * run in turns. It measures the CPU time for each class's first value and for the second to fiftieth value, and the memory after
 * every class is compiled.
 *
 * `--quick` runs fewer processes. `--json` writes rows `{case, subject, value, unit}`. The exit code is 1 if a first value costs
 * more than 1.1 times the libraries' time, or if compiled classes hold more than 15 MB.
 */
import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { packEngine } from '../tools/pack/engine/pack.mts';

const { values: options } = parseArgs({ options: { quick: { type: 'boolean' }, json: { type: 'boolean' } } });
const ROUNDS = options.quick ? 5 : 15;
const MOST_TIMES = 1.1;
const MOST_BYTES = 15e6;

/** The folder for the packed engine. It is in the workspace so that the engine finds the libraries. */
const folder = join(import.meta.dirname, '../node_modules/.cache/cold-start/engine');

/** The program of a process. It prints the measurements, and its argument names the package to use. */
const program = `
require('reflect-metadata');
const libraries = { ...require('class-transformer'), ...require('class-validator') };
const { plainToInstance, validateSync } = process.argv[2] === 'engine' ? require('./index.cjs') : libraries;
const { IsEmail, IsInt, IsOptional, IsString, Length, Max, Min, Type, ValidateNested } = libraries;

function decorate(type, members) {
  for (const [name, decorators] of Object.entries(members))
    for (const decorator of decorators) decorator(type.prototype, name);
  return type;
}

const types = Array.from({ length: 200 }, () => {
  const Line = decorate(class Line {}, { sku: [IsString(), Length(2, 20)], count: [IsInt(), Min(1)] });
  return decorate(class Order {}, {
    email: [IsEmail()],
    name: [IsString(), Length(1, 80)],
    age: [IsOptional(), IsInt(), Min(0), Max(150)],
    note: [IsOptional(), IsString()],
    lines: [ValidateNested({ each: true }), Type(() => Line)],
  });
});

const cpu = () => process.cpuUsage().user + process.cpuUsage().system;
const lines = [{ sku: 'abc', count: 2 }, { sku: 'de', count: 1 }];
function run() {
  const before = cpu();
  for (const type of types) {
    const errors = validateSync(plainToInstance(type, { email: 'ada@example.com', name: 'Ada', age: 36, note: 'x', lines }));
    if (errors.length > 0) throw new Error(String(errors[0]));
  }
  return cpu() - before;
}

const first = run();
let later = 0;
for (let round = 0; round < 49; round++) later += run();
gc();
const { heapUsed, external, rss } = process.memoryUsage();
console.log(JSON.stringify({ first, later, memory: heapUsed + external, rss }));
`;

/** The measurements from a process, in microseconds and bytes. */
interface Measured {
  readonly first: number;
  readonly later: number;
  readonly memory: number;
  readonly rss: number;
}

const SUBJECTS = ['libraries', 'engine'] as const;

await packEngine(folder);
await writeFile(join(folder, 'first.cjs'), program);
const measured: Record<(typeof SUBJECTS)[number], Measured[]> = { libraries: [], engine: [] };
for (let round = 0; round < ROUNDS; round++)
  for (const subject of SUBJECTS) measured[subject].push(measure(subject));

const names: Readonly<Record<keyof Measured, readonly [string, 'µs' | 'bytes']>> = {
  first: ['the first value of each of 200 classes', 'µs'],
  later: ['their second to fiftieth values', 'µs'],
  memory: ['heap and buffers afterwards', 'bytes'],
  rss: ['resident memory afterwards', 'bytes'],
};
const rows = Object.entries(names).flatMap(([key, [title, unit]]) =>
  SUBJECTS.map((subject) => ({
    case: title,
    subject,
    value: median(measured[subject].map((process) => process[key as keyof Measured])),
    unit,
  })),
);
if (options.json) print(JSON.stringify(rows));
else for (let at = 0; at < rows.length; at += 2) print(sentenceOf(rows[at]!, rows[at + 1]!));

const times = ratioOf('first');
const bytes = differenceOf('memory');
if (times > MOST_TIMES || bytes > MOST_BYTES) process.exitCode = 1;

function measure(subject: string): Measured {
  const path = join(folder, 'first.cjs');
  return JSON.parse(execFileSync(process.execPath, ['--expose-gc', path, subject], { encoding: 'utf8' }));
}

/** Returns the median ratio between a round's processes. They run in sequence, so that other work on the machine affects both. */
function ratioOf(key: keyof Measured): number {
  return median(measured.engine.map((process, round) => process[key] / measured.libraries[round]![key]));
}

function differenceOf(key: keyof Measured): number {
  return median(measured.engine.map((process, round) => process[key] - measured.libraries[round]![key]));
}

function sentenceOf(libraries: (typeof rows)[number], engine: (typeof rows)[number]): string {
  const scale = engine.unit === 'bytes' ? 1e6 : 1000;
  const unit = engine.unit === 'bytes' ? 'MB' : 'ms';
  const [before, after] = [libraries.value / scale, engine.value / scale].map((value) => value.toFixed(1));
  return `${engine.case}: ${before} ${unit} in the libraries, ${after} in the engine`;
}

function median(values: readonly number[]): number {
  return values.toSorted((low, high) => low - high)[Math.floor(values.length / 2)]!;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
