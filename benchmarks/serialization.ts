import '../scripts/load-sources.mts';
import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { cpus } from 'node:os';
import { measure, type Row } from './measure.ts';

const { values: flags } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } },
});

const QUICK = { rounds: 5, milliseconds: 30 };
const WHOLE = { rounds: 25, milliseconds: 80 };

void run();

/**
 * Times every way to write views as JSON, after checking that their results are equal: `npm run bench -- serialization`.
 *
 * `--quick` takes less than a minute. `--json` writes rows `{case, subject, value, unit}`.
 */
async function run(): Promise<void> {
  const { cases } = await import('./serialization-cases.ts');
  const { compileCosts, heldBy } = await import('./serialization-memory.ts');
  const effort = { ...(flags.quick ? QUICK : WHOLE), clock: 'processor' as const };
  const rows: Row[] = [];
  for (const { name, subjects, unlike, check } of cases()) {
    check();
    rows.push(...measure(name, { ...subjects, ...unlike }, effort), ...heldBy(name, subjects));
  }
  rows.push(...compileCosts());
  if (flags.json) return print(JSON.stringify(rows));
  print(
    `node ${process.version}, ${cpus()[0]?.model ?? 'unknown processor'}; nanoseconds of processor; the ratio is class-transformer's time over the subject's; bytes allocated, and retained by the response`,
  );
  for (const name of new Set(rows.map((row) => row.case)))
    printTable(
      name,
      rows.filter((row) => row.case === name),
    );
}

function printTable(name: string, rows: readonly Row[]): void {
  print(
    `\n${name.padEnd(52)} ${'median'.padStart(12)}         ${'best'.padStart(12)}            allocated       held`,
  );
  const valueOf = (subject: string, unit: Row['unit']) =>
    rows.find((row) => row.subject === subject && row.unit === unit)?.value;
  const timed = (subject: string, unit: Row['unit']) => {
    const time = valueOf(subject, unit) ?? Number.NaN;
    const ratio = (valueOf('class-transformer + JSON.stringify', unit) ?? Number.NaN) / time;
    return `${time.toFixed(0).padStart(12)} ${(Number.isNaN(ratio) ? '' : `${ratio.toFixed(1)}x`).padStart(7)}`;
  };
  const counted = (subject: string, unit: Row['unit']) =>
    (valueOf(subject, unit)?.toFixed(0) ?? '').padStart(10);
  for (const subject of new Set(rows.map((row) => row.subject))) {
    const bytes = `${counted(subject, 'bytes')} ${counted(subject, 'bytes held')}`;
    print(`  ${subject.padEnd(50)} ${timed(subject, 'ns')} ${timed(subject, 'ns at best')}    ${bytes}`);
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
