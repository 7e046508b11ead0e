import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from './free-port.mts';
import { startHaproxy } from './haproxy.mts';
import { Load } from './load.mts';
import { type DrillProgram, startProgram } from './program.mts';

const pollMs = 100;
const administrator = { username: 'drill@example.com', password: 'correct horse battery staple' };

/** Three programs behind HAProxy, restarted one after the other while clients send requests. */
export interface RollingRestart {
  /** The `main.js` of `api`. */
  readonly file: string;
  readonly restarts: number;
  readonly connections: number;
  /** The load goes on until so many requests are answered. */
  readonly requests: number;
  /** `DRAIN_DELAY` of the programs. */
  readonly drainDelayMs: number;
}

/** What became of the requests. */
export interface RollingResult {
  readonly answered: number;
  readonly created: number;
  readonly lost: readonly string[];
  /** Of each program that was stopped. */
  readonly exitCodes: readonly (number | null)[];
  readonly seconds: number;
}

/** Restarts the programs under load. Needs HAProxy in the path. */
export async function restartUnderLoad(plan: RollingRestart): Promise<RollingResult> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-drill-'));
  const ports = [await freePort(), await freePort(), await freePort()];
  const programs: DrillProgram[] = [];
  const proxy = await startHaproxy(ports);
  const start = (at: number) => startProgram(orderOf(plan, folder, ports[at] ?? 0));
  try {
    for (const at of ports.keys()) {
      programs.push(await start(at));
      await proxy.untilUp(`api${at + 1}`);
    }
    const load = new Load(proxy.url, await signIn(proxy.url));
    const startedAt = performance.now();
    const stopLoad = load.start(plan.connections);
    const exitCodes: (number | null)[] = [];
    for (let restart = 0; restart < plan.restarts; restart++) {
      const at = restart % ports.length;
      exitCodes.push((await programs[at]?.stop()) ?? null);
      programs[at] = await start(at);
      await proxy.untilUp(`api${at + 1}`);
    }
    while (load.answered + load.lost.length < plan.requests) await pause(pollMs);
    await stopLoad();
    const { answered, created, lost } = load;
    return { answered, created, lost, exitCodes, seconds: (performance.now() - startedAt) / 1000 };
  } finally {
    await Promise.all(programs.map((program) => program.stop('SIGKILL')));
    await proxy.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Without a limit of the delay: on a small machine, a program that starts takes the time of the others. */
function orderOf({ file, drainDelayMs }: RollingRestart, cwd: string, port: number) {
  const env = {
    PORT: String(port),
    DATABASE_URL: `sqlite:${join(cwd, 'drill.db')}`,
    JWT_SECRET: 'a secret of the drill, made for one run alone',
    ADMIN_EMAIL: administrator.username,
    ADMIN_PASSWORD: administrator.password,
    ACCESS_TOKEN_TTL: '1h',
    DRAIN_DELAY: String(drainDelayMs),
    MAX_DELAY: 'off',
    TRUST_PROXY: 'loopback',
    NODE_ENV: 'production',
  };
  return { file, cwd, logFile: join(cwd, `${port}.log`), env };
}

async function signIn(url: string): Promise<string> {
  const response = await fetch(`${url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(administrator),
  });
  const { access_token: token }: { access_token: string } = JSON.parse(await response.text());
  return token;
}
