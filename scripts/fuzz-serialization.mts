import './load-sources.mts';
import 'reflect-metadata';
import { setImmediate } from 'node:timers/promises';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { cases: { type: 'string', default: '100000' }, seed: { type: 'string', default: '1' } },
});

// class-transformer awaits what has a `then`, and nobody awaits class-transformer: what fails there fails on both sides.
process.on('unhandledRejection', () => undefined);

void run(Number(values.cases), Number(values.seed));

/**
 * Compares compiled serializers with class-transformer; prints what differs, and leaves with 1 if anything does.
 * Ctrl-C ends it early, with the sum of what was compared.
 */
async function run(cases: number, seed: number): Promise<void> {
  const { compareTree, VALUES_PER_TREE } = await import('../libs/serialization/testing/equality/compare.ts');
  const trees = Math.ceil(cases / VALUES_PER_TREE);
  const started = performance.now();
  let [different, direct, leftWhole] = [0, 0, 0];
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  let compared = 0;
  while (compared < trees && !stop.signal.aborted) {
    const found = compareTree(seed + compared);
    for (const one of found.differences.slice(0, Math.max(0, 5 - different)))
      print(JSON.stringify(one, null, 2));
    different += found.differences.length;
    direct += found.direct;
    leftWhole += found.leftWhole;
    compared += 1;
    await setImmediate();
  }
  const done = compared * VALUES_PER_TREE;
  const rate = Math.round((done * 1000) / (performance.now() - started));
  print(`seed ${seed}: ${done} values of ${compared} class trees, each in two ways`);
  print(`${direct} answers without an instance; ${leftWhole} values left to class-transformer whole`);
  print(`${different} differences; ${rate} values a second`);
  process.exitCode = different === 0 ? 0 : 1;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
