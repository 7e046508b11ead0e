/**
 * What a request costs without the kernel: `npm run bench:path`.
 *
 * The servers of `npm run bench` that send our headers and log, and NestJS on Fastify, all with their store in memory and each in a
 * process of its own, are given the six requests on connections in memory, fifty at once, and take turns. The time is that of the shortest of many slices of 300 requests, which
 * other work on the machine did not interrupt: the median of three rounds, with the shortest and the longest. It includes what
 * the client costs, which is the same for all. `--quick` measures fewer slices; `--json` writes rows
 * `{case, subject, value, low, high, unit}`; `--only name,…` measures only servers whose entry contains one of the names.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildServers } from '../http/build.mts';
import { about, makeToken, routes } from '../http/routes.mts';
import { secret } from '../http/server.mts';
import { subjects } from '../http/subjects.mts';
import type { Slices } from './serve-in-memory.mts';

const { values } = parseArgs({
  options: { quick: { type: 'boolean' }, json: { type: 'boolean' }, only: { type: 'string' } },
});
const effort = values.quick ? { rounds: 1, warmUp: 20, slices: 40 } : { rounds: 3, warmUp: 40, slices: 100 };
/** The servers that are compared, and the one they are compared with. */
const baseline = 'node:http by hand, our headers and log';
const names = values.only?.split(',') ?? [''];
const measured = subjects
  .filter(({ isEquipped, entry }) => isEquipped === true || entry === 'peers/nest-fastify')
  .filter(({ entry }) => entry !== 'sluice/sluice-sqlite')
  .filter(({ entry, name }) => name === baseline || names.some((part) => entry.includes(part)));
const tokens = Array.from({ length: 50 }, (_, at) => makeToken(secret, { name: String(at) }));

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
      ADMIN_EMAIL: 'admin@example.com',
      ADMIN_PASSWORD: 'an administrator of benchmarks',
    },
  });
  return { name, child };
});
try {
  for (const { child } of servers) await once(child, 'message');
  const rows = [];
  for (const { key, method, path, needsToken, body, status } of routes) {
    const shortest = servers.map((): number[] => []);
    for (let round = 0; round < effort.rounds; round++) {
      for (const [at, { child }] of servers.entries()) {
        const order: Slices = { ...effort, request: { method, path, needsToken, body }, status, tokens };
        child.send(order);
        const [{ error, micros }]: { error?: string; micros: number }[] = await once(child, 'message');
        if (error !== undefined) throw new Error(error);
        shortest[at].push(micros);
      }
    }
    for (const [at, { name: subject }] of servers.entries()) {
      const sorted = shortest[at].toSorted((one, other) => one - other);
      const [low, value, high] = [sorted[0], sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
      rows.push({ case: key, subject, value, low, high, unit: 'µs a request' });
    }
  }
  process.stdout.write(values.json ? `${JSON.stringify(rows)}\n` : tableOf(rows));
} finally {
  for (const { child } of servers) child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
}

/** A line for each server, with its ratio to the baseline. */
function tableOf(rows: readonly { case: string; subject: string; value: number }[]): string {
  const cells = (of: string) =>
    routes.map(({ key }) => {
      const valueOf = (subject: string) =>
        rows.find((row) => row.case === key && row.subject === subject)?.value ?? Number.NaN;
      return `${valueOf(of).toFixed(1)} (${(valueOf(of) / valueOf(baseline)).toFixed(2)}×)`;
    });
  const lines = measured.map(({ name }) => `| ${name} | ${cells(name).join(' | ')} |`);
  const head = `| µs a request | ${routes.map(({ key }) => key).join(' | ')} |\n|---|${'---:|'.repeat(routes.length)}`;
  return `${head}\n${lines.join('\n')}\n`;
}
