import '../../scripts/load-sources.mts';
import 'reflect-metadata';
import { inspect, parseArgs } from 'node:util';

/**
 * Compares `--classes` generated classes (default 100000) that have odd declarations with the two libraries: rules without a
 * name, proxied arguments, getters that throw. `--seed` selects a different sequence, and `--only SEED` repeats a difference.
 * The first difference ends the run, is printed, and sets the exit code to 1.
 */
const { values } = parseArgs({
  options: {
    classes: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
  },
});
// The shapes are loaded first, so that they observe each decorator.
await import('../../libs/engine/src/index.ts');
const { nestParts, withoutLog } = await import('../../libs/engine/testing/validation/nest-parts.ts');
const { compareDeclarations, fuzzDeclarations } =
  await import('../../libs/engine/testing/validation/fuzz-declarations.ts');
process.on('unhandledRejection', () => undefined);
const run = async () => {
  if (values.only === undefined)
    return fuzzDeclarations(Number(values.seed), Number(values.classes), nestParts);
  return { classes: 1, difference: await compareDeclarations(Number(values.only), nestParts) };
};
const started = performance.now();
const { classes, difference } = await withoutLog(run);
if (difference) process.stdout.write(`${inspect(difference, { depth: null })}\n`);
const seconds = Math.round((performance.now() - started) / 1000);
process.stdout.write(
  `seed ${values.seed}: ${classes} classes in ${seconds} s, ${difference ? '1 difference' : 'no difference'}\n`,
);
process.exitCode = difference ? 1 : 0;
