import '../scripts/load-sources.mts';
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
    `node ${process.version}, ${cpus()[0]?.model ?? 'unknown processor'}; nanoseconds; the ratio is class-transformer's time over the subject's`,
  );
  for (const one of cases())
    printTable(
      one.name,
      rows.filter((row) => row.case === one.name),
    );
}

function printTable(name: string, rows: readonly Row[]): void {
  print(`\n${name.padEnd(52)} ${'median'.padStart(12)}         ${'best'.padStart(12)}         bytes`);
  const valueOf = (subject: string, unit: Row['unit']) =>
    rows.find((row) => row.subject === subject && row.unit === unit)?.value ?? Number.NaN;
  const timed = (subject: string, unit: Row['unit']) => {
    const time = valueOf(subject, unit);
    const ratio = valueOf('class-transformer + JSON.stringify', unit) / time;
    return `${time.toFixed(0).padStart(12)} ${`${ratio.toFixed(1)}x`.padStart(7)}`;
  };
  for (const subject of new Set(rows.map((row) => row.subject))) {
    const bytes = valueOf(subject, 'bytes').toFixed(0).padStart(10);
    print(`  ${subject.padEnd(50)} ${timed(subject, 'ns')} ${timed(subject, 'ns at best')} ${bytes}`);
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
