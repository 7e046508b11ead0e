import '../../scripts/load-sources.mts';
import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { readProgram } from '../../scripts/programs.mts';

/**
 * Reads `--cases` generated environments (default 100000) with the `api` settings: `npm run fuzz -- settings --cases 1000000`.
 * `--seed` selects a different sequence. The first wrong result ends the run, is printed, and sets the exit code to 1.
 */
const { values } = parseArgs({
  options: { cases: { type: 'string', default: '100000' }, seed: { type: 'string', default: '1' } },
});
const { fuzzSettings } = await import('../../libs/service/testing/fuzz-settings.ts');
const program = await readProgram('api');
const started = performance.now();
const { cases, refused, difference } = fuzzSettings(program, Number(values.cases), Number(values.seed));
if (difference !== undefined) process.stdout.write(`${difference}\n`);
const seconds = Math.round((performance.now() - started) / 1000);
process.stdout.write(
  `seed ${values.seed}: ${cases} environments in ${seconds} s, ${refused} refused, ${difference === undefined ? 'no difference' : '1 difference'}\n`,
);
process.exitCode = difference === undefined ? 0 : 1;
