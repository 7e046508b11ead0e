import type { Drill } from './drill.mts';
import type { DrillResult } from './run.mts';

/** Lists the action and the expectation of each drill. */
export function listOf(drills: readonly Drill[]): string {
  return drills
    .map(({ name, stores, action, expectation, fires }) =>
      [
        `${name} (${stores.join(', ')})`,
        `  action:      ${action}`,
        `  expectation: ${expectation}`,
        ...(fires.length > 0 ? [`  fires: ${fires.join(', ')}`] : []),
      ].join('\n'),
    )
    .join('\n');
}

/** Prints the result of a drill with its numbers. */
export function printResult(drillResult: DrillResult): void {
  const { drill, store, result, seconds, numbers, failures, alerts, folder } = drillResult;
  console.log(`${result}  ${drill} on ${store}, ${seconds} s`);
  for (const [description, value] of Object.entries(numbers)) console.log(`      ${description}: ${value}`);
  if (alerts && alerts.length > 0) console.log(`      alerts: ${alerts.join(', ')}`);
  for (const failure of failures)
    console.log(result === 'SKIP' ? `      ${failure}` : `      does not hold: ${failure}`);
  if (folder !== undefined) console.log(`      logs: ${folder}/*.log`);
}

/** The last line: how many passed. */
export function sumUp(results: readonly DrillResult[]): string {
  const count = (wanted: DrillResult['result']) => results.filter(({ result }) => result === wanted).length;
  return `${count('PASS')} passed, ${count('FAIL')} failed, ${count('SKIP')} skipped`;
}
