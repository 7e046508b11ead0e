import './load-sources.mts';
import 'reflect-metadata';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { cases: { type: 'string', default: '100000' }, seed: { type: 'string', default: '1' } },
});

void run(Number(values.cases), Number(values.seed));

/** Compares compiled validators with the two libraries; prints what differs, and leaves with 1 if anything does. */
async function run(cases: number, seed: number): Promise<void> {
  await import('../libs/shapes/src/index.ts');
  const { fuzz } = await import('../libs/validation/testing/fuzz.ts');
  process.on('unhandledRejection', () => undefined);
  const started = performance.now();
  const { judged, differences, ways } = await fuzz(seed, cases);
  for (const one of differences) print(JSON.stringify(one, undefined, 2));
  const rate = Math.round((judged * 1000) / (performance.now() - started));
  print(`seed ${seed}: ${judged} cases, ${JSON.stringify(ways)}`);
  print(`${differences.length} differences; ${rate} cases a second`);
  process.exitCode = differences.length === 0 ? 0 : 1;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
