/**
 * Measures latency at 70 % load for Sluice and the servers with our headers and log: `npm run bench -- latency`.
 *
 * For each route, subjects take turns. A subject first answers as many requests as it can on 50 connections. Then the same
 * connections send 70 % as many requests in an open loop, which counts the time from when a request was due. The results are the
 * median round and the lowest and highest rounds.
 *
 * `--quick` takes less than a minute. `--json` writes rows `{case, subject, value, least, most, unit}`. `--only name,…` measures
 * only Sluice and subjects with a listed name in their entry.
 */
import { parseArgs } from 'node:util';
import { buildServers } from './build.mts';
import { makeToken, type Route, routes } from './routes.mts';
import { secret, type Server, startLoad, startOpenLoad } from './server.mts';
import { startAll } from './measure.mts';
import { ours, subjects } from './subjects.mts';

const { values } = parseArgs({
  options: { quick: { type: 'boolean' }, json: { type: 'boolean' }, only: { type: 'string' } },
});
const share = 0.7;
const units = ['ms p99', 'ms p50', '/s'] as const;
type Latency = Readonly<Record<(typeof units)[number], number>>;
const effort = values.quick
  ? { rounds: 1, warmUpMs: 200, fullMs: 200, openMs: 400 }
  : { rounds: 5, warmUpMs: 3000, fullMs: 500, openMs: 2000 };
const tokens = Array.from({ length: 50 }, (_, at) => makeToken(secret, { name: String(at) }));
const names = values.only?.split(',') ?? [''];
const chosen = subjects
  .filter(({ isEquipped }) => isEquipped)
  .filter(({ name, entry }) => name === ours || names.some((part) => entry.includes(part)));

const load = startLoad();
const openLoad = startOpenLoad();
const servers = await startAll(
  chosen,
  await buildServers(
    import.meta.dirname,
    chosen.map(({ entry }) => entry),
  ),
);
const rows: { case: string; subject: string; value: number; least: number; most: number; unit: string }[] =
  [];
for (const route of routes) await measureRoute(route);
for (const server of servers) await server.stop();
load.stop();
openLoad.stop();
process.stdout.write(values.json ? `${JSON.stringify(rows)}\n` : units.map(tableOf).join('\n'));

async function measureRoute(route: Route): Promise<void> {
  process.stderr.write(`${route.key} ${route.title}\n`);
  for (const server of servers) await load.run({ ...orderOf(route, server), milliseconds: effort.warmUpMs });
  const results = servers.map(({ name }) => ({ name, outcomes: new Array<Latency>() }));
  for (let round = 0; round < effort.rounds; round++)
    for (let turn = 0; turn < servers.length; turn++) {
      const at = (round + turn) % servers.length;
      results[at].outcomes.push(await latencyOf(route, servers[at]));
    }
  for (const { name, outcomes } of results)
    for (const unit of units) {
      const sorted = outcomes.map((outcome) => outcome[unit]).toSorted((left, right) => left - right);
      const value = sorted[Math.floor(sorted.length / 2)];
      rows.push({
        case: route.key,
        subject: name,
        value,
        least: sorted[0],
        most: sorted[sorted.length - 1],
        unit,
      });
    }
}

async function latencyOf(route: Route, server: Server): Promise<Latency> {
  const order = orderOf(route, server);
  const { perSecond: most } = await load.run({ ...order, milliseconds: effort.fullMs });
  const perSecond = most * share;
  const [{ p50, p99 }] = await openLoad.run({
    ...order,
    phases: [{ name: 'open loop', perSecond, milliseconds: effort.openMs }],
  });
  return { '/s': perSecond, 'ms p50': p50, 'ms p99': p99 };
}

function orderOf({ method, path, needsToken, body, status }: Route, { port }: Server) {
  return { port, request: { method, path, needsToken, body }, status, tokens };
}

function tableOf(unit: keyof Latency): string {
  const digits = unit === '/s' ? 0 : 2;
  const lines = servers.map(({ name }) => {
    const cells = rows
      .filter((row) => row.subject === name && row.unit === unit)
      .map(({ value, least, most }) => [value, least, most].map((figure) => figure.toFixed(digits)))
      .map(([value, least, most]) => `${value} (${least}–${most})`);
    return `| ${name} | ${cells.join(' | ')} |`;
  });
  const head = `| ${unit} at ${share * 100} % | ${routes.map(({ key }) => key).join(' | ')} |`;
  return `${head}\n|---|${'---:|'.repeat(routes.length)}\n${lines.join('\n')}\n`;
}
