/**
 * Measures the same six routes in every framework and in Sluice. It reports throughput, latency, CPU per request, memory and
 * start time.
 *
 * `--quick` takes less than a minute and writes no page. `--json` writes rows `{case, subject, value, unit}`. `--only name,…`
 * measures only subjects with a listed name in their entry.
 */
import { parseArgs } from 'node:util';
import { buildServers } from './build.mts';
import { measureAll } from './measure.mts';
import { rowsOf, tablesOf, writePage } from './report.mts';
import { subjects } from './subjects.mts';

const { values } = parseArgs({
  options: { quick: { type: 'boolean' }, json: { type: 'boolean' }, only: { type: 'string' } },
});
// V8 compiles for two seconds of load, in threads that are charged to the server.
const effort = values.quick
  ? { rounds: 1, warmUpMs: 250, slices: 2, sliceMs: 200 }
  : { rounds: 3, warmUpMs: 3000, slices: 4, sliceMs: 300 };
const names = values.only?.split(',') ?? [''];
const chosen = subjects.filter(({ entry }) => names.some((name) => entry.includes(name)));

const entries = chosen.map(({ entry }) => entry);
const builtIn = await buildServers(import.meta.dirname, entries);
const samples = await measureAll(chosen, builtIn, effort, (what) => process.stderr.write(`${what}\n`));
if (values.json) process.stdout.write(`${JSON.stringify(rowsOf(samples))}\n`);
else process.stdout.write(tablesOf(samples));
if (!values.quick && !values.only) writePage(samples);
