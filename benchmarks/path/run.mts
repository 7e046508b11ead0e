/**
 * Measures how much a request costs without the kernel: `npm run bench -- path`.
 *
 * It compares the servers from `npm run bench` that send our headers and log with NestJS on Fastify. Each server keeps its store
 * in memory and runs in its own process. The servers take turns and receive the six requests on in-memory connections, fifty at
 * once. The time comes from the shortest among many slices of 300 requests, so that interruptions by other work are left out. It
 * is the median from three rounds, with the shortest and the longest round. A second table shows the bytes that V8 allocates for
 * a request. Both include the client's cost, which is the same for all servers.
 *
 * `--quick` measures fewer slices. `--json` writes rows `{case, subject, value, low, high, unit}`. `--only name,…` measures only
 * servers with a listed name in their entry. `--issuer` compares R3 on SQLite between remembered tokens from a trusted issuer
 * and our own tokens. It uses a single process in turns and reports the median for paired rounds.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildServers } from '../http/build.mts';
import { about, makeToken, type Route, routes } from '../http/routes.mts';
import { secret } from '../http/server.mts';
import { subjects } from '../http/subjects.mts';
import { type Issuer, startIssuer } from './issuer.mts';
import type { Cost, Slices } from './serve-in-memory.mts';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean' },
    json: { type: 'boolean' },
    only: { type: 'string' },
    issuer: { type: 'boolean' },
  },
});
const effort = values.quick
  ? { rounds: 1, pairs: 11, warmUp: 20, slices: 40 }
  : { rounds: 3, pairs: 31, warmUp: 40, slices: 100 };
/** The baseline that all servers are compared with. */
const baseline = 'node:http by hand, our headers and log';
const units = [
  ['µs a request', 'micros'],
  ['bytes a request', 'bytes'],
] as const;
interface Row {
  readonly case: string;
  readonly subject: string;
  readonly value: number;
  readonly low: number;
  readonly high: number | undefined;
  readonly unit: string;
}

const names = values.only?.split(',') ?? [''];
const onSqlite = 'sluice/sluice-sqlite';
const measured = subjects
  .filter(({ isEquipped, entry }) => isEquipped === true || entry === 'peers/nest-fastify')
  .filter(({ entry }) => (entry === onSqlite) === (values.issuer ?? false))
  .filter(({ entry, name }) => name === baseline || names.some((part) => entry.includes(part)));
const tokens = Array.from({ length: 50 }, (_, at) => makeToken(secret, { name: String(at) }));

const issuer = values.issuer ? await startIssuer() : undefined;

const folder = mkdtempSync(join(tmpdir(), 'sluice-path-'));
const builtIn = await buildServers(
  join(import.meta.dirname, '../http'),
  measured.map(({ entry }) => entry),
);
const servers = measured.map(({ name, entry }, at) => {
  const child = fork(join(import.meta.dirname, 'serve-in-memory.mts'), [join(builtIn, `${entry}.mjs`)], {
    // Its log goes to standard output.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      PORT: '0',
      ABOUT: about,
      JWT_SECRET: secret,
      ACCESS_TOKEN_TTL: '1h',
      MAX_DELAY: '1m',
      DATABASE_URL: `sqlite:${join(folder, `${at}.db`)}`,
      ...(issuer && { TRUSTED_ISSUERS: issuer.setting }),
      ADMIN_EMAIL: 'admin@example.com',
      ADMIN_PASSWORD: 'an administrator of benchmarks',
    },
  });
  return { name, child };
});
try {
  for (const { child } of servers) await once(child, 'message');
  process.stdout.write(await (issuer ? compareIssuer(issuer) : compareServers()));
} finally {
  for (const { child } of servers) child.kill('SIGKILL');
  issuer?.stop();
  rmSync(folder, { recursive: true });
}

async function compareServers(): Promise<string> {
  const rows: Row[] = [];
  for (const route of routes) {
    const costs = servers.map((): Cost[] => []);
    for (let round = 0; round < effort.rounds; round++) {
      for (const [at, { child }] of servers.entries()) costs[at].push(await measure(child, route, tokens));
    }
    for (const [at, { name: subject }] of servers.entries())
      for (const [unit, of] of units) {
        const sorted = costs[at].map((cost) => cost[of]).toSorted((left, right) => left - right);
        const [low, value, high] = [sorted[0], medianOf(sorted), sorted.at(-1)];
        rows.push({ case: route.key, subject, value, low, high, unit });
      }
  }
  if (values.json) return `${JSON.stringify(rows)}\n`;
  return units
    .map(([unit]) =>
      tableOf(
        unit,
        rows.filter((row) => row.unit === unit),
      ),
    )
    .join('\n');
}

async function compareIssuer({ sign }: Issuer): Promise<string> {
  const [{ child }] = servers;
  const route = routes.find(({ key }) => key === 'R3') ?? routes[0];
  const ofIssuer = await Promise.all(tokens.map(sign));
  const rounds: { readonly own: number; readonly issuer: number }[] = [];
  for (let round = 0; round < effort.pairs; round++) {
    const isFirst = round % 2 === 0;
    const { micros: first } = await measure(child, route, isFirst ? tokens : ofIssuer);
    const { micros: second } = await measure(child, route, isFirst ? ofIssuer : tokens);
    rounds.push(isFirst ? { own: first, issuer: second } : { own: second, issuer: first });
  }
  const rows = [
    ['our token', 'µs a request', rounds.map(({ own }) => own)],
    ['a token of an issuer', 'µs a request', rounds.map((round) => round.issuer)],
    ['a token of an issuer', '÷ our token', rounds.map((round) => round.issuer / round.own)],
  ] as const;
  const results = rows.map(([subject, unit, all]) => {
    const sorted = all.toSorted((left, right) => left - right);
    return { case: route.key, subject, value: medianOf(sorted), low: sorted[0], high: sorted.at(-1), unit };
  });
  if (values.json) return `${JSON.stringify(results)}\n`;
  return results
    .map(({ subject, unit, value, low, high }) => {
      const [median, from, to] = [value, low, high].map((figure) => figure?.toFixed(3));
      return `${subject}, ${unit}: ${median} (${from} to ${to})\n`;
    })
    .join('');
}

async function measure(
  child: ChildProcess,
  { method, path, needsToken, body, status }: Route,
  bearers: readonly string[],
): Promise<Cost> {
  const order: Slices = { ...effort, request: { method, path, needsToken, body }, status, tokens: bearers };
  child.send(order);
  const [{ error, ...cost }]: (Cost & { readonly error?: string })[] = await once(child, 'message');
  if (error !== undefined) throw new Error(error);
  return cost;
}

function medianOf(sorted: readonly number[]): number {
  return sorted[Math.floor(sorted.length / 2)];
}

/** Returns a table with a line for each server and its ratio to the baseline. */
function tableOf(unit: string, rows: readonly Row[]): string {
  const cells = (of: string) =>
    routes.map(({ key }) => {
      const valueOf = (subject: string) =>
        rows.find((row) => row.case === key && row.subject === subject)?.value ?? Number.NaN;
      return `${valueOf(of).toFixed(unit === 'bytes a request' ? 0 : 1)} (${(valueOf(of) / valueOf(baseline)).toFixed(2)}×)`;
    });
  const lines = measured.map(({ name }) => `| ${name} | ${cells(name).join(' | ')} |`);
  const head = `| ${unit} | ${routes.map(({ key }) => key).join(' | ')} |\n|---|${'---:|'.repeat(routes.length)}`;
  return `${head}\n${lines.join('\n')}\n`;
}
