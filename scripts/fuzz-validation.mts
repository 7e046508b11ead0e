import './load-sources.mts';
import 'reflect-metadata';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { cases: { type: 'string', default: '100000' }, seed: { type: 'string', default: '1' } },
});

void run(Number(values.cases), Number(values.seed));

const ONE_GO = 200_000;

/** Compares compiled validators with the two libraries; prints what differs, and leaves with 1 if anything does. */
async function run(cases: number, seed: number): Promise<void> {
  await import('../libs/shapes/src/index.ts');
  const { fuzz } = await import('../libs/validation/testing/fuzz.ts');
  process.on('unhandledRejection', () => undefined);
  const started = performance.now();
  const total = { judged: 0, different: 0, code: 0, closures: 0 };
  for (let go = 0; total.judged < cases; go++) {
    const { judged, differences, ways } = await fuzz(seed + go, Math.min(ONE_GO, cases - total.judged));
    for (const one of differences) print(JSON.stringify(one, undefined, 2));
    total.judged += judged;
    total.different += differences.length;
    total.code += ways.code;
    total.closures += ways.closures;
    const rate = Math.round((total.judged * 1000) / (performance.now() - started));
    print(
      `seed ${seed} to ${seed + go}: ${total.judged} cases, ${total.different} differences, ${rate} a second`,
    );
    print(`  classes written as code ${total.code}, run by closures ${total.closures}`);
  }
  process.exitCode = total.different === 0 ? 0 : 1;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
