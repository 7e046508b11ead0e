import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { root } from '../workspace.mts';
import { freePort } from './free-port.mts';

const pollMs = 50;
/** The configuration that is deployed. */
const configuration = join(root, 'deploy/haproxy/haproxy.cfg');

/** A running HAProxy. */
export interface Haproxy {
  readonly url: string;
  /** Waits until it sends requests to a server, such as `api1`. */
  readonly untilUp: (server: string) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Whether the path has one. */
export function hasHaproxy(): boolean {
  return spawnSync('haproxy', ['-v']).status === 0;
}

/** Starts HAProxy with the configuration in `deploy`, in front of three programs. */
export async function startHaproxy(ports: readonly number[]): Promise<Haproxy> {
  const [port, statsPort] = [await freePort(), await freePort()];
  const servers = ports.map((server, at) => [`API_${at + 1}`, `127.0.0.1:${server}`]);
  const env = {
    PATH: process.env.PATH,
    PROXY: `127.0.0.1:${port}`,
    STATS: `127.0.0.1:${statsPort}`,
    ...Object.fromEntries(servers),
  };
  const child = spawn('haproxy', ['-db', '-f', configuration], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const messages = text(child.stderr);
  const ended = once(child, 'exit');
  return {
    url: `http://127.0.0.1:${port}`,
    untilUp: async (server) => {
      while (!(await isUp(statsPort, server))) {
        if (child.exitCode !== null) throw new Error(`haproxy has exited:\n${await messages}`);
        await pause(pollMs);
      }
    },
    stop: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** By its table of statistics: the first columns are proxy and server, the 18th the status. */
async function isUp(statsPort: number, server: string): Promise<boolean> {
  const response = await fetch(`http://127.0.0.1:${statsPort}/stats;csv`).catch(() => undefined);
  const lines = (await response?.text())?.split('\n') ?? [];
  const columns = lines.find((line) => line.startsWith(`api,${server},`))?.split(',');
  return columns?.[17] === 'UP';
}
