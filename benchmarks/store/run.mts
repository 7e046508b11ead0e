/**
 * Compares five `api` routes on SQLite and PostgreSQL with servers that have the same rows, durability and responses. It reports
 * CPU per request, and the orders per second with the latency of concurrent reads while fsync is slow.
 *
 * `--quick` takes a minute or two and writes no page. `--json` writes rows `{store, case, subject, value, unit}`.
 * `--only sqlite|postgres|mixed` measures a single part.
 *
 * `--memory` instead loads Sluice on each store for ten minutes, and fails if its memory grows.
 */
import { parseArgs } from 'node:util';
import { buildServers } from '../http/build.mts';
import { measureMixed, measureStore, type StoreSample } from './measure.mts';
import { measureMemory, memoryFaults } from './memory.mts';
import { rowsOf, tablesOf, writePage } from './report.mts';
import { makeSlowFsync } from './slow-fsync.mts';
import { type Store, subjectsOf } from './subjects.mts';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean' },
    json: { type: 'boolean' },
    only: { type: 'string' },
    memory: { type: 'boolean' },
  },
});
// A shorter warm-up measures the compilation of the larger programs: after 2.5 s on a busy machine, 112 of the 492 µs of an order
// were those of V8's own threads, and 26 of 350 after 25 s.
const effort = values.quick
  ? { rounds: 1, warmUpMs: 300, measureMs: 500 }
  : { rounds: 3, warmUpMs: 3000, measureMs: 1500 };
const isChosen = (part: string) => values.only === undefined || values.only === part;
const say = (what: string): void => void process.stderr.write(`${what}\n`);

const entries = new Set([...subjectsOf.SQLite, ...subjectsOf.PostgreSQL].map(({ entry }) => entry));
const builtIn = await buildServers(import.meta.dirname, [...entries]);
if (values.memory) process.exit(await memory());
const samples: StoreSample[] = [];
if (isChosen('sqlite')) samples.push(...(await measureStore('SQLite', builtIn, effort, say)));
if (isChosen('postgres')) samples.push(...(await measureStore('PostgreSQL', builtIn, effort, say)));
if (isChosen('mixed')) samples.push(...(await mixed()));
if (values.json) process.stdout.write(`${JSON.stringify(rowsOf(samples))}\n`);
else process.stdout.write(tablesOf(samples));
if (!values.quick && values.only === undefined) writePage(samples);

async function mixed(): Promise<StoreSample[]> {
  const slowed = makeSlowFsync(builtIn);
  if (slowed === undefined) say('no C compiler: fsync is not slowed');
  const environments = new Map<string, Record<string, string>>([['this disk', {}]]);
  if (slowed)
    for (const milliseconds of [1, 8]) environments.set(`+ ${milliseconds} ms`, slowed(milliseconds));
  const lasting = values.quick ? { warmUpMs: 1500, measureMs: 1500 } : { warmUpMs: 3000, measureMs: 5000 };
  return measureMixed(builtIn, environments, lasting, say);
}

/** Measures the memory and returns the exit code. */
async function memory(): Promise<number> {
  const stores: readonly Store[] = ['SQLite', 'PostgreSQL'];
  const faults: string[] = [];
  for (const store of stores.filter((name) => isChosen(name === 'SQLite' ? 'sqlite' : 'postgres'))) {
    const measured = await measureMemory(store, builtIn, { steps: 30, stepMs: 20_000 }, say);
    const [lowest, highest] = [Math.min(...measured.mebibytes), Math.max(...measured.mebibytes)];
    faults.push(...memoryFaults(measured));
    say(`${store}: ${measured.requests} requests, ${lowest.toFixed(0)} to ${highest.toFixed(0)} MiB`);
  }
  for (const fault of faults) say(fault);
  return faults.length > 0 ? 1 : 0;
}
