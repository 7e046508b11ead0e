import '../scripts/load-sources.mts';
import 'reflect-metadata';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { measure, type Row } from './measure.ts';

const { values: given } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    others: { type: 'string', default: '0' },
    only: { type: 'string', default: '' },
  },
});

void run();

/** Times every way of checking a value, once their answers were seen to be right. */
async function run(): Promise<void> {
  await import('../libs/shapes/src/index.ts');
  const { declareOthers } = await import('./validation-classes.ts');
  const { cases, LIBRARIES } = await import('./validation-cases.ts');
  declareOthers(Number(given.others));
  const chosen = cases().filter(({ name }) => name.includes(given.only));
  const effort = given.quick ? { rounds: 7, milliseconds: 15 } : { rounds: 25, milliseconds: 60 };
  const rows = chosen.flatMap((one) => {
    one.check();
    return measure(one.name, one.subjects, effort);
  });
  if (given.json) return print(JSON.stringify(rows));
  print(`node ${process.version}, ${cpus()[0]?.model ?? 'unknown processor'}, ${given.others} other classes`);
  print('medians of rounds; the ratio is the time of the two libraries over the subject’s');
  for (const { name } of chosen)
    printTable(
      name,
      rows.filter((row) => row.case === name),
      LIBRARIES,
    );
}

function printTable(name: string, rows: readonly Row[], libraries: string): void {
  const baseline = rows.find(({ subject }) => subject === libraries)?.value ?? Number.NaN;
  print(`\n${name}`);
  for (const { subject, value, unit } of rows) {
    const ratio = unit === 'ns' && !Number.isNaN(baseline) ? `${(baseline / value).toFixed(1)}x` : '';
    print(`  ${subject.padEnd(44)} ${value.toFixed(1).padStart(12)} ${unit.padEnd(6)} ${ratio}`);
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
