/**
 * The same six routes in every framework, and in ours: throughput, latency, CPU per request, memory, start.
 *
 * `--quick` takes less than a minute and writes no page; `--json` writes rows `{case, subject, value, unit}`;
 * `--only name,…` measures only subjects whose entry contains one of the names.
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
