/**
 * What becomes of ours under strain: more load than it can answer, with and without shedding; five hundred more routes
 * and a thousand more classes; memory over some minutes.
 *
 * `--quick` measures shortly; `--minutes N` says for how long memory is watched (1); `--json` writes rows.
 */
import { parseArgs } from 'node:util';
import { buildServers } from './build.mts';
import { makeToken, type Route, routes } from './routes.mts';
import { secret, type Server, startLoad, startServer } from './server.mts';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean' },
    json: { type: 'boolean' },
    minutes: { type: 'string', default: '1' },
  },
});
const milliseconds = values.quick ? 1500 : 6000;
const subject = { name: 'Sluice', entry: 'sluice/sluice' };
const builtIn = await buildServers([subject.entry]);
const load = startLoad();
const rows: { case: string; subject: string; value: number; unit: string }[] = [];

for (const connections of [50, 1500]) {
  await overload(connections, 'no shedding', { MAX_DELAY: 'off', MAX_IN_FLIGHT: '100000' });
  await overload(connections, 'MAX_DELAY=100', { MAX_DELAY: '100' });
}
for (const crowd of ['0', '500']) await crowded(crowd);
await watchMemory(Number(values.minutes));
load.stop();
for (const row of rows) row.value = Math.round(row.value * 100) / 100;
if (values.json) process.stdout.write(`${JSON.stringify(rows)}\n`);
else for (const row of rows) process.stdout.write(`${row.case} · ${row.subject}: ${row.value} ${row.unit}\n`);

async function overload(connections: number, how: string, env: object): Promise<void> {
  const server = await startServer(subject, builtIn, env);
  const [, , , items] = routes;
  await run(items, server, 50, 1000);
  const { p50, p99, shed, requests } = await run(items, server, connections, milliseconds);
  const name = `${items.title}, ${connections} connections`;
  rows.push(
    { case: name, subject: `${how}, p50 of what is answered`, value: p50, unit: 'ms' },
    { case: name, subject: `${how}, p99 of what is answered`, value: p99, unit: 'ms' },
    { case: name, subject: `${how}, answered`, value: ((requests - shed) / milliseconds) * 1000, unit: '/s' },
    { case: name, subject: `${how}, refused`, value: (shed / requests) * 100, unit: '%' },
  );
  await server.stop();
}

async function crowded(more: string): Promise<void> {
  const server = await startServer(subject, builtIn, { CROWD: more });
  for (const route of routes) {
    await run(route, server, 50, 700);
    const before = await server.usage();
    const { requests } = await run(route, server, 50, milliseconds / 3);
    const { cpu } = await server.usage();
    const value = (cpu - before.cpu) / requests;
    rows.push({ case: route.key, subject: `${more} more routes`, value, unit: 'µs CPU per request' });
  }
  await server.stop();
}

async function watchMemory(minutes: number): Promise<void> {
  const server = await startServer(subject, builtIn);
  const begun = performance.now();
  const last = values.quick ? 3 : minutes * 6;
  for (let at = 0; at <= last; at++) {
    for (const route of routes) await run(route, server, 50, values.quick ? 200 : 1600);
    const value = (await server.usage()).memory / 1024 / 1024;
    if (at % 6 === 0 || at === last)
      rows.push({
        case: 'resident memory',
        subject: `after ${Math.round((performance.now() - begun) / 1000)} s`,
        value,
        unit: 'MiB',
      });
  }
  await server.stop();
}

function run(
  { method, path, needsToken, body, status }: Route,
  { port }: Server,
  connections: number,
  forMs: number,
) {
  const tokens = Array.from({ length: connections }, (_, at) => makeToken(secret, { name: String(at) }));
  const request = { method, path, needsToken, body };
  return load.run({ port, request, status, tokens, mayShed: true, milliseconds: forMs });
}
