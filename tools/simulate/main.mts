import '../../scripts/load-sources.mts';
import { parseArgs } from 'node:util';
import { runScript } from '../../scripts/workspace.mts';
import type { Result } from './simulate.mts';
import type { Subject } from './subjects/subject.mts';

/**
 * Simulates many programs on a single PostgreSQL server in three regions, with delays, partitions, wrong clocks and restarts,
 * and reports whether their joint promises hold: `npm run simulate`.
 *
 * `--hours` sets the lifetime for programs, over all simulations (default 1,000), and `--seed` chooses different simulations.
 * `--only` names a subject. `--programs` sets the size of each fleet and limits the run to a single simulation. `--quick` takes
 * less than a minute and skips the largest fleets. `--list` prints the claims, and `--json` prints the results as JSON.
 */
await runScript(async () => {
  const { values } = parseArgs({
    options: {
      hours: { type: 'string' },
      seed: { type: 'string', default: '1' },
      only: { type: 'string' },
      programs: { type: 'string' },
      quick: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  const { subjects } = await import('./subjects/subjects.mts');
  const { simulateSeries } = await import('./series.mts');
  const { describeViolation, printSums, sumUp } = await import('./report.mts');
  const { figures } = await import('./figures.mts');
  const chosen = choose(subjects, values.only);
  if (values.list) return list(chosen);
  const programs = values.programs === undefined ? undefined : numberOf('programs', values.programs);
  const hours = values.hours === undefined ? (values.quick ? 40 : 1_000) : numberOf('hours', values.hours);
  const results: Result[] = [];
  for await (const result of simulateSeries({
    subjects: chosen,
    hours: programs === undefined ? hours : Number.MIN_VALUE,
    seed: numberOf('seed', values.seed),
    programs,
    figures,
  })) {
    results.push(result);
    if (!values.json && result.violation) console.log(describeViolation(result));
  }
  const sums = sumUp(results);
  if (values.json) console.log(JSON.stringify({ sums, results }, undefined, 2));
  else printSums(sums);
  if (results.some(({ violation }) => violation !== undefined)) process.exitCode = 1;
});

function choose(subjects: readonly Subject[], only: string | undefined): readonly Subject[] {
  const chosen = subjects.filter(({ name }) => only === undefined || name === only);
  if (chosen.length === 0) throw new Error(`--only is one of ${subjects.map(({ name }) => name).join(', ')}`);
  return chosen;
}

function list(subjects: readonly Subject[]): void {
  for (const { name, claims, faults } of subjects) {
    console.log(name);
    for (const claim of claims) console.log(`  holds:   ${claim}`);
    for (const fault of faults) console.log(`  planted: ${fault.name} (${fault.what})`);
  }
}

function numberOf(name: string, text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1) throw new Error(`--${name} is a positive whole number`);
  return number;
}
