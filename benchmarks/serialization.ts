import '../scripts/load-sources.ts';
import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { cpus } from 'node:os';
import { measure, type Row } from './measure.ts';

const { values: given } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } },
});

void run();

/** Times every way of turning views into JSON text, once their answers were seen to be the same. */
async function run(): Promise<void> {
  const { cases } = await import('./serialization-cases.ts');
  const rows: Row[] = [];
  for (const one of cases()) {
    one.check();
    rows.push(
      ...measure(
        one.name,
        one.subjects,
        given.quick ? { rounds: 7, milliseconds: 15 } : { rounds: 25, milliseconds: 60 },
      ),
    );
  }
  if (given.json) return print(JSON.stringify(rows));
  print(
    `node ${process.version}, ${cpus()[0]?.model ?? 'unknown processor'}; medians; the ratio is class-transformer's time over the subject's`,
  );
  for (const one of cases())
    printTable(
      one.name,
      rows.filter((row) => row.case === one.name),
    );
}

function printTable(name: string, rows: readonly Row[]): void {
  const baseline =
    rows.find(({ subject }) => subject === 'class-transformer + JSON.stringify')?.value ?? Number.NaN;
  print(`\n${name}`);
  for (const { subject, value, unit } of rows) {
    print(
      `  ${subject.padEnd(58)} ${value.toFixed(1).padStart(12)} ${unit}  ${unit === 'ns' ? `${(baseline / value).toFixed(1)}x` : ''}`,
    );
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
