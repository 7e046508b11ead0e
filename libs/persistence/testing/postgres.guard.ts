/**
 * A process that keeps a throw-away PostgreSQL for as long as its standard input stays open, and leaves nothing behind:
 * when whoever started it ends, however it ends, the pipe closes and the server goes with all its files.
 *
 * Started as `node postgres.guard.ts <native folder of the platform package>`; prints `{"url": "postgres://…"}` once the
 * server has been started. Node runs it as it stands, so it imports with extensions and holds nothing but erasable types.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chown, cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

interface User {
  readonly uid: number;
  readonly gid: number;
}

const stopping = new AbortController();
let running: ChildProcess | undefined;

async function main(native: string): Promise<void> {
  stopWithParent();
  const folder = await mkdtemp(join(tmpdir(), 'sluice-postgres-'));
  try {
    await serve(native, folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function serve(native: string, folder: string): Promise<void> {
  const user = await ordinaryUser();
  const bin = join(folder, 'native', 'bin');
  const password = randomBytes(16).toString('hex');
  await copyBinaries(native, join(folder, 'native'));
  await writeFile(join(folder, 'password'), password, { mode: 0o600 });
  if (user) await giveTo(user, folder);
  await run(join(bin, 'initdb'), initdbArguments(folder), user);
  const port = await freePort();
  const ended = run(join(bin, 'postgres'), serverArguments(folder, port), user);
  process.stdout.write(
    `${JSON.stringify({ url: `postgres://sluice:${password}@127.0.0.1:${port}/postgres` })}\n`,
  );
  await ended;
}

function initdbArguments(folder: string): string[] {
  const access = ['--username=sluice', `--pwfile=${join(folder, 'password')}`, '--auth=scram-sha-256'];
  return [`--pgdata=${join(folder, 'data')}`, ...access, '--encoding=UTF8', '--locale=C', '--no-sync'];
}

function serverArguments(folder: string, port: number): string[] {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 300,
    // No test of ours cuts the power, and the data is thrown away: waiting for the disk would only cost time.
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return ['-D', join(folder, 'data'), '-p', String(port), ...options];
}

/** Runs one program of PostgreSQL to its end; we are to stop, so does it. */
async function run(program: string, args: string[], user: User | undefined): Promise<void> {
  stopping.signal.throwIfAborted();
  running = spawn(program, args, { ...user, cwd: tmpdir(), stdio: ['ignore', 'ignore', 'pipe'] });
  const said: string[] = [];
  running.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said.push(text);
    if (said.length > 50) said.shift();
  });
  const [code] = await once(running, 'close');
  stopping.signal.throwIfAborted();
  if (code !== 0) throw new Error(`${basename(program)} ended with ${code}\n${said.join('')}`);
}

function stopWithParent(): void {
  process.stdin.resume().once('close', stop);
  // Whoever we would tell the address may be gone by then; unheard, that error would end us before we have cleaned up.
  process.stdout.once('error', stop);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop);
}

/** By the immediate shutdown: nobody will ever read this data, so nothing is worth waiting for. */
function stop(): void {
  stopping.abort();
  running?.kill('SIGQUIT');
}

/** The package's install script would make these links; it does not run where install scripts are denied. */
async function copyBinaries(native: string, copy: string): Promise<void> {
  await cp(native, copy, { recursive: true });
  const links: { source: string; target: string }[] = JSON.parse(
    await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]'),
  );
  for (const { source, target } of links) {
    const link = join(copy, '..', target);
    await rm(link, { force: true });
    await symlink(basename(source), link);
  }
}

/** PostgreSQL refuses to run as root: then it runs as a user who owns nothing. */
async function ordinaryUser(): Promise<User | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const users = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  const [, , uid, gid] =
    users.find(([name]) => name === 'nobody') ?? users.find(([, , id]) => Number(id) > 0) ?? [];
  if (uid === undefined)
    throw new Error('PostgreSQL does not run as root, and /etc/passwd names nobody else');
  return { uid: Number(uid), gid: Number(gid) };
}

async function giveTo({ uid, gid }: User, folder: string): Promise<void> {
  await chown(folder, uid, gid);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) await chown(join(entry.parentPath, entry.name), uid, gid);
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port is free');
  return address.port;
}

main(process.argv[2] ?? '').then(
  () => process.exit(0),
  (error: unknown) => {
    if (!stopping.signal.aborted) process.stderr.write(`${String(error)}\n`);
    process.exit(stopping.signal.aborted ? 0 : 1);
  },
);
