import '../scripts/load-sources.mts';
import 'reflect-metadata';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import type { ClassReport } from './census-class.ts';

const { values: flags } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
  },
});

interface Row {
  readonly case: string;
  readonly subject: string;
  readonly value: number;
  readonly unit: '×';
}

void run();

/**
 * Reports which classes are compiled, and how much faster each class is than with the two libraries: `npm run bench -- census`.
 *
 * `--quick` takes less than a minute. `--json` writes rows `{case, subject, value, unit}` with this ratio as the value.
 * `--only TEXT` measures the classes with TEXT in their name.
 */
async function run(): Promise<void> {
  await import('../libs/engine/src/index.ts');
  const { CENSUS, CHOICES, withClass } = await import('../libs/engine/testing/validation/census/census.ts');
  const { reportClass } = await import('./census-class.ts');
  const effort = flags.quick ? { rounds: 7, milliseconds: 0.5 } : { rounds: 15, milliseconds: 1 };
  const chosen = CENSUS.filter(({ name }) => name.includes(flags.only));
  const rows: Row[] = [];
  if (!flags.json) print(`node ${process.version}, ${cpus()[0]?.model ?? 'unknown processor'}`);
  for (const [choice, options] of Object.entries(CHOICES)) {
    const reports: ClassReport[] = [];
    for (const censusClass of chosen)
      reports.push(await withClass(censusClass, (built) => reportClass(censusClass, built, options, effort)));
    if (flags.json) rows.push(...reports.flatMap((report) => rowsOf(choice, report)));
    else printReports(choice, reports);
  }
  if (flags.json) print(JSON.stringify(rows));
}

function rowsOf(choice: string, { name, ratios }: ClassReport): Row[] {
  return Object.entries(ratios).map(([way, value]) => ({
    case: `${choice}: ${name}`,
    subject: way,
    value,
    unit: '×',
  }));
}

function printReports(choice: string, reports: readonly ClassReport[]): void {
  const code = reports.filter(({ reasons }) => reasons.length === 0).length;
  const share = ((code / reports.length) * 100).toFixed(1);
  print(`\n${choice}: ${share} % of ${reports.length} classes are compiled`);
  for (const [reason, count] of countReasons(reports)) print(`  ${count} × ${reason}`);
  for (const way of ['valid', 'invalid', 'valid, drop-ins', 'invalid, drop-ins'] as const) {
    const ratios = reports
      .flatMap(({ ratios: byWay }) => byWay[way] ?? [])
      .toSorted((left, right) => left - right);
    const at = (part: number) => (ratios[Math.floor(ratios.length * part)] ?? Number.NaN).toFixed(1);
    print(
      `  ${way}: median ${at(0.5)}×, lowest tenth ${at(0.1)}×, least ${at(0)}×, of ${ratios.length} classes`,
    );
    for (const { name, ratios: byWay } of reports)
      if ((byWay[way] ?? 1) < 1) print(`    slower: ${name}, ${byWay[way]?.toFixed(2)}×`);
  }
  const styles = new Set(reports.map(({ style }) => style));
  for (const style of styles)
    print(`  ${style}: ${mediansOf(reports.filter((report) => report.style === style))}`);
}

function mediansOf(reports: readonly ClassReport[]): string {
  const median = (way: keyof ClassReport['ratios']) => {
    const sorted = reports.flatMap(({ ratios }) => ratios[way] ?? []).toSorted((left, right) => left - right);
    return `${way} ${(sorted[Math.floor(sorted.length / 2)] ?? Number.NaN).toFixed(1)}×`;
  };
  return [median('valid'), median('invalid'), median('valid, drop-ins')].join('; ');
}

function countReasons(reports: readonly ClassReport[]): [reason: string, count: number][] {
  const counts = new Map<string, number>();
  for (const { reasons } of reports)
    for (const reason of new Set(reasons)) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts].toSorted(([, left], [, right]) => right - left);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
