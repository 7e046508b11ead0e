import '../../scripts/load-sources.mts';
import 'reflect-metadata';
import { parseArgs } from 'node:util';

/**
 * Opens WebSockets with `--targets` generated request targets (default 100000) and compares the gateway that the program finds
 * with the gateway that a second parser finds: `npm run fuzz -- upgrades --targets 1000000`. `--seed` selects a different
 * sequence. The first difference ends the run, is printed, and sets the exit code to 1.
 */
const { values } = parseArgs({
  options: { targets: { type: 'string', default: '100000' }, seed: { type: 'string', default: '1' } },
});
const { fuzzUpgrades } = await import('../../libs/service/testing/fuzz-upgrades.ts');
const started = performance.now();
const { targets, statuses, difference } = await fuzzUpgrades(
  Number(values.targets),
  Number(values.seed),
  (tally) => process.stderr.write(`${JSON.stringify(tally)}\n`),
);
if (difference !== undefined) process.stdout.write(`${difference}\n`);
const seconds = Math.round((performance.now() - started) / 1000);
process.stdout.write(
  `seed ${values.seed}: ${targets} targets in ${seconds} s, ${JSON.stringify(statuses)}, ${difference === undefined ? 'no difference' : '1 difference'}\n`,
);
process.exitCode = difference === undefined ? 0 : 1;
