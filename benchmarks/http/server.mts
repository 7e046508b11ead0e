import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../tools/drill/programs/free-port.mts';
import type { Order, Outcome } from './load.mts';
import type { OpenOrder, PhaseOutcome } from './open-load.mts';
import { about } from './routes.mts';
import type { Usage } from './serve.mts';
import type { Program } from './subjects.mts';

export const secret = 'a secret of benchmarks, long enough to sign with';

/** Whether the system supports pinning. Servers are pinned to the first core, and the load generator to the second core. */
const isPinning = process.platform === 'linux' && availableParallelism() > 1;

const running = new Set<ChildProcess>();
// The end of the benchmark ends all servers.
process.once('exit', () => running.forEach((child) => child.kill('SIGKILL')));

/** A running server. */
export interface Server {
  readonly name: string;
  readonly port: number;
  readonly url: string;
  /** The milliseconds from the start of the process to its first response. */
  readonly millisecondsToAnswer: number;
  usage(): Promise<Usage>;
  stop(): Promise<void>;
}

/** Starts a server in its own process and folder, and waits for its first response. */
export async function startServer(
  { name, entry }: Program,
  builtIn: string,
  env: object = {},
): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-http-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const begun = performance.now();
  const child = startOn(0, [join(builtIn, `${entry}.mjs`)], {
    cwd: folder,
    env: { ...environment(folder, port), ...env },
  });
  await firstAnswer(url, child);
  return {
    name,
    port,
    url,
    millisecondsToAnswer: performance.now() - begun,
    usage: () => ask<Usage>(child, 'usage'),
    stop: async () => {
      child.kill('SIGKILL');
      await once(child, 'exit');
      rmSync(folder, { recursive: true });
    },
  };
}

/** A load generator in its own process. */
export interface Load<Asked, Result> {
  run(order: Asked): Promise<Result>;
  stop(): void;
}

/**
 * Starts a closed loop, which sends a request when the last request was answered. Several orders run together, with an outcome
 * for each.
 */
export function startMixedLoad(): Load<readonly Order[], readonly Outcome[]> {
  return startLoadProcess('load.mts');
}

/** Starts a closed loop with a single kind of request. */
export function startLoad(): Load<Order, Outcome> {
  const { run, stop } = startMixedLoad();
  return { stop, run: async (order) => (await run([order]))[0] };
}

/** Starts an open loop, which sends at a fixed rate. */
export function startOpenLoad(): Load<OpenOrder, readonly PhaseOutcome[]> {
  return startLoadProcess('open-load.mts');
}

function startLoadProcess<Asked extends object, Result>(file: string): Load<Asked, Result> {
  const child = startOn(1, ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, file)], {});
  return {
    async run(order) {
      const { outcome, error } = await ask<{ outcome?: Result; error?: string }>(child, order);
      if (outcome) return outcome;
      throw new Error(error);
    },
    stop: () => void child.kill('SIGKILL'),
  };
}

function startOn(
  core: number,
  args: readonly string[],
  options: { cwd?: string; env?: object },
): ChildProcess {
  const command = [process.execPath, ...args];
  const [program, ...rest] = isPinning ? ['taskset', '-c', String(core), ...command] : command;
  const env = { ...process.env, ...options.env };
  const child = spawn(program, rest, {
    cwd: options.cwd,
    env,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  running.add(child.once('exit', () => running.delete(child)));
  return child;
}

/** Returns the environment for all servers. Sluice reads all variables, as in production. */
function environment(folder: string, port: number): Record<string, string> {
  return {
    NODE_ENV: 'production',
    PORT: String(port),
    ABOUT: about,
    JWT_SECRET: secret,
    ACCESS_TOKEN_TTL: '1h',
    // Overload is checked with each request but never reached: a busy machine must not fail the benchmark.
    MAX_DELAY: '1m',
    DATABASE_URL: `sqlite:${join(folder, 'sluice.db')}`,
    ADMIN_EMAIL: 'admin@example.com',
    ADMIN_PASSWORD: 'an administrator of benchmarks',
  };
}

async function ask<Reply>(child: ChildProcess, message: object | string): Promise<Reply> {
  const reply = once(child, 'message');
  child.send(message);
  const [answer] = await reply;
  return answer;
}

/** Polls until the server answers, which a benchmark may do. */
async function firstAnswer(url: string, child: ChildProcess): Promise<void> {
  const deadline = performance.now() + 30_000;
  while (performance.now() < deadline && child.exitCode === null) {
    const response = await fetch(url).catch(() => undefined);
    if (response?.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(`The server did not answer; it ended with ${child.exitCode}.`);
}
