/**
 * Measures Sluice under load. It runs at twice its capacity with and without load shedding, with five hundred more routes and
 * classes, and reports its memory over some minutes.
 *
 * `--quick` measures briefly. `--only overload|crowd|memory` measures a single part. `--minutes N` sets the duration of the
 * memory measurement, which defaults to 1. `--json` writes rows.
 */
import { parseArgs } from 'node:util';
import { buildServers } from './build.mts';
import type { PhaseOutcome } from './open-load.mts';
import { makeToken, type Route, routes } from './routes.mts';
import { secret, type Server, startLoad, startOpenLoad, startServer } from './server.mts';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean' },
    json: { type: 'boolean' },
    only: { type: 'string' },
    minutes: { type: 'string', default: '1' },
  },
});
const inMemory = { name: 'Sluice', entry: 'sluice/sluice' };
const onSqlite = { name: 'Sluice on SQLite', entry: 'sluice/sluice-sqlite' };
const builtIn = await buildServers(import.meta.dirname, [inMemory.entry, onSqlite.entry]);
const load = startLoad();
const openLoad = startOpenLoad();
const rows: { case: string; subject: string; value: number; unit: string }[] = [];
const part = (name: string) => values.only === undefined || values.only === name;

if (part('overload')) {
  await overload('no shedding', { MAX_DELAY: 'off', MAX_IN_FLIGHT: 'off' });
  await overload('default settings', { MAX_DELAY: '' });
}
if (part('crowd')) await crowded();
if (part('memory')) await watchMemory(Number(values.minutes));
load.stop();
openLoad.stop();
for (const row of rows) row.value = Math.round(row.value * 100) / 100;
if (values.json) process.stdout.write(`${JSON.stringify(rows)}\n`);
else for (const row of rows) process.stdout.write(`${row.case} · ${row.subject}: ${row.value} ${row.unit}\n`);

/** Runs an open loop on four thousand connections, at half the capacity, then at twice the capacity, then at half. */
async function overload(how: string, env: object): Promise<void> {
  const server = await startServer(onSqlite, builtIn, env);
  const [, , , items] = routes;
  await run(items, server, 1000);
  const { perSecond } = await run(items, server, values.quick ? 1000 : 3000);
  rows.push({
    case: `overload, ${how}`,
    subject: 'capacity, 50 connections',
    value: perSecond,
    unit: '/s',
  });
  const lasting = (name: string, share: number, seconds: number) => ({
    name,
    perSecond: perSecond * share,
    milliseconds: seconds * 1000,
  });
  const outcomes = await openLoad.run({
    ...orderOf(items, server, 4000),
    phases: [
      lasting('before, 0.5×', 0.5, values.quick ? 1 : 5),
      lasting('capacity', 1, values.quick ? 1 : 5),
      lasting('overload, 2×', 2, values.quick ? 2 : 15),
      lasting('after, 0.5×', 0.5, values.quick ? 1 : 10),
    ],
  });
  for (const outcome of outcomes) addRows(how, outcome);
  await server.stop();
}

function addRows(how: string, outcome: PhaseOutcome): void {
  const all: [keyof PhaseOutcome, string, string][] = [
    ['answersPerSecond', 'answered', '/s'],
    ['refusalsPerSecond', 'refused', '/s'],
    ['p50', 'p50 of responses', 'ms'],
    ['p99', 'p99 of responses', 'ms'],
    ['p99AtFirst', 'p99 of the first fifth', 'ms'],
    ['p99AtLast', 'p99 of the last fifth', 'ms'],
    ['refusedP99', 'p99 of rejections', 'ms'],
    ['healthMost', 'slowest health', 'ms'],
    ['healthFailed', 'health that failed', ''],
    ['sentLateP99', 'p99 of how late the load was', 'ms'],
  ];
  for (const [key, subject, unit] of all)
    rows.push({ case: `overload, ${how}, ${outcome.name}`, subject, value: Number(outcome[key]), unit });
}

/**
 * Measures ten routes alone and with five hundred more routes. Both servers run at once and take turns, and the results are
 * medians.
 */
async function crowded(): Promise<void> {
  const crowds = ['0', '500'];
  const servers = await Promise.all(crowds.map((CROWD) => startServer(inMemory, builtIn, { CROWD })));
  for (const route of routes) {
    const costs = crowds.map((): number[] => []);
    for (let round = 0; round < (values.quick ? 3 : 11); round++)
      for (const [at, server] of servers.entries()) costs[at].push(await cpuOf(route, server));
    for (const [at, crowd] of crowds.entries()) {
      const sorted = costs[at].toSorted((left, right) => left - right);
      const value = sorted[Math.floor(sorted.length / 2)];
      const spread = `${sorted[0].toFixed(1)} to ${sorted.at(-1)?.toFixed(1)}`;
      rows.push({
        case: `${route.key}, ${crowd} more routes`,
        subject: `CPU per request (${spread})`,
        value,
        unit: 'µs',
      });
    }
  }
  await Promise.all(servers.map((server) => server.stop()));
}

async function cpuOf(route: Route, server: Server): Promise<number> {
  await run(route, server, values.quick ? 100 : 300);
  const before = await server.usage();
  const { requests } = await run(route, server, values.quick ? 200 : 1000);
  const { cpu } = await server.usage();
  return (cpu - before.cpu) / requests;
}

async function watchMemory(minutes: number): Promise<void> {
  const server = await startServer(inMemory, builtIn);
  const begun = performance.now();
  const last = values.quick ? 3 : minutes * 6;
  for (let at = 0; at <= last; at++) {
    for (const route of routes) await run(route, server, values.quick ? 200 : 1600);
    const value = (await server.usage()).memory / 1024 / 1024;
    const seconds = Math.round((performance.now() - begun) / 1000);
    rows.push({ case: 'resident memory', subject: `after ${seconds} s`, value, unit: 'MiB' });
  }
  await server.stop();
}

function run(route: Route, server: Server, milliseconds: number) {
  return load.run({ ...orderOf(route, server, 50), mayShed: true, milliseconds });
}

function orderOf({ method, path, needsToken, body, status }: Route, { port }: Server, connections: number) {
  const tokens = Array.from({ length: connections }, (_, at) => makeToken(secret, { name: String(at) }));
  return { port, request: { method, path, needsToken, body }, status, tokens };
}
