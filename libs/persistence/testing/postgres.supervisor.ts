/**
 * Runs a temporary PostgreSQL server until standard input closes, then stops it and removes its files. The pipe closes when the
 * parent process ends, even by SIGKILL.
 *
 * Started as `node postgres.supervisor.ts <native folder of the platform package> [durable | pair | replica | restarted]`;
 * prints `{"servers": [{"url": "postgres://…", "pid": 1}]}` when the servers have been spawned. With `pair` the second server is
 * a synchronous standby, with `replica` an asynchronous standby. With `restarted` the server starts again after a shutdown.
 * Unless `durable`, commits do not wait for the disk. Node runs this file directly, so its syntax is erasable.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chown, cp, mkdtemp, readdir, readFile, rm, statfs, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

interface User {
  readonly uid: number;
  readonly gid: number;
}

/** The purpose of a server. */
type Purpose = 'durable' | 'pair' | 'replica' | 'restarted' | undefined;

/** The Linux file system in memory. */
const MEMORY = '/dev/shm';
/** The required space, more than the databases in a run and their write-ahead log; containers have 64 MB by default. */
const NEEDED_BYTES = 4 * 1024 ** 3;

const stopping = new AbortController();
const running = new Set<ChildProcess>();

async function main(native: string, purpose: Purpose): Promise<void> {
  stopWithParent();
  const parent = purpose === 'durable' ? tmpdir() : await temporaryFolder();
  const folder = await mkdtemp(join(parent, 'sluice-postgres-'));
  try {
    await serve(native, folder, purpose);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** A database has 300 files; on a disk, to create and remove them took 150 ms of system time. */
async function temporaryFolder(): Promise<string> {
  const system = await statfs(MEMORY).catch(() => undefined);
  return system && system.bavail * system.bsize >= NEEDED_BYTES ? MEMORY : tmpdir();
}

async function serve(native: string, folder: string, purpose: Purpose): Promise<void> {
  const user = await unprivilegedUser();
  const bin = join(folder, 'native', 'bin');
  const password = randomBytes(16).toString('hex');
  await copyBinaries(native, join(folder, 'native'));
  await writeFile(join(folder, 'password'), password, { mode: 0o600 });
  if (user) await giveTo(user, folder);
  await run(join(bin, 'initdb'), initdbArguments(folder), user);
  const folders = [join(folder, 'data')];
  const ports = [await freePort()];
  if (hasStandby(purpose)) {
    folders.push(join(folder, 'standby'));
    ports.push(await freePort());
    await copyToStandby(
      folders[0],
      folders[1],
      `host=127.0.0.1 port=${ports[0]} user=sluice password=${password}`,
    );
    if (purpose === 'pair')
      await writeFile(join(folders[0], 'postgresql.auto.conf'), "synchronous_standby_names = '*'\n");
    if (user) await giveTo(user, folders[1]);
  }
  const servers = folders.map((data, at) => {
    const { child, ended } = start(join(bin, 'postgres'), serverArguments(data, ports[at], purpose), user);
    const url = `postgres://sluice:${password}@127.0.0.1:${ports[at]}/postgres`;
    return { url, pid: child.pid, ended };
  });
  process.stdout.write(`${JSON.stringify({ servers: servers.map(({ url, pid }) => ({ url, pid })) })}\n`);
  const results = await Promise.allSettled(servers.map(({ ended }) => ended));
  // One of two is ended by the test.
  const failed = results.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected' && !hasStandby(purpose)) throw failed.reason;
  if (purpose === 'restarted')
    for (;;) await run(join(bin, 'postgres'), serverArguments(folders[0], ports[0], purpose), user);
}

/** A cluster that was never started is consistent, and everything after it is streamed. */
async function copyToStandby(data: string, standby: string, primary: string): Promise<void> {
  await cp(data, standby, { recursive: true });
  await writeFile(join(standby, 'standby.signal'), '');
  await writeFile(join(standby, 'postgresql.auto.conf'), `primary_conninfo = '${primary}'\n`);
}

function initdbArguments(folder: string): string[] {
  const access = ['--username=sluice', `--pwfile=${join(folder, 'password')}`, '--auth=scram-sha-256'];
  // The password is random, and tests connect thousands of times, with 4096 iterations on both sides by default.
  const cheap = ['--set=scram_iterations=1', '--no-sync'];
  return [`--pgdata=${join(folder, 'data')}`, ...access, '--encoding=UTF8', '--locale=C', ...cheap];
}

/** The settings for temporary data. Tests that simulate a power failure do not use them. */
const forTests = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  // Plans are those of tables without statistics, whenever they are explained.
  autovacuum: 'off',
};

function serverArguments(data: string, port: number, purpose: Purpose): string[] {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 300,
    ...(purpose === 'durable' ? {} : forTests),
    // A commit of a pair waits for the standby, and what is read from a replica was flushed before.
    ...(hasStandby(purpose) ? { synchronous_commit: 'on', wal_keep_size: '256MB' } : {}),
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return ['-D', data, '-p', String(port), ...options];
}

/** Runs a PostgreSQL program until it exits or we are stopped. */
function run(program: string, args: string[], user: User | undefined): Promise<void> {
  return start(program, args, user).ended;
}

interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<void>;
}

function start(program: string, args: string[], user: User | undefined): Started {
  stopping.signal.throwIfAborted();
  const child = spawn(program, args, { ...user, cwd: tmpdir(), stdio: ['ignore', 'ignore', 'pipe'] });
  running.add(child);
  return { child, ended: endOf(child, basename(program)) };
}

async function endOf(child: ChildProcess, program: string): Promise<void> {
  const output: string[] = [];
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    output.push(text);
    if (output.length > 50) output.shift();
  });
  const [code] = await once(child, 'close');
  running.delete(child);
  stopping.signal.throwIfAborted();
  if (code !== 0) throw new Error(`${program} exited with ${code}\n${output.join('')}`);
}

function stopWithParent(): void {
  process.stdin.resume().once('close', stop);
  // The parent may have ended; without a listener, EPIPE would end this process before the cleanup.
  process.stdout.once('error', stop);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop);
}

/** Shuts down immediately with SIGQUIT, because the data is not needed again. A test may have stopped the server by SIGSTOP. */
function stop(): void {
  stopping.abort();
  for (const child of running) for (const signal of ['SIGQUIT', 'SIGCONT'] as const) child.kill(signal);
}

/** Creates the links that the package's install script creates, which may be disabled. */
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

/** Returns an unprivileged user, such as `nobody`, if the process runs as root, because PostgreSQL refuses to run as root. */
async function unprivilegedUser(): Promise<User | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const users = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  const [, , uid, gid] =
    users.find(([name]) => name === 'nobody') ?? users.find(([, , id]) => Number(id) > 0) ?? [];
  if (uid === undefined)
    throw new Error('PostgreSQL does not run as root, and /etc/passwd has no other user');
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

const purposes: readonly Purpose[] = ['durable', 'pair', 'replica', 'restarted'];

function purposeOf(name: string | undefined): Purpose {
  return purposes.find((purpose) => purpose === name);
}

function hasStandby(purpose: Purpose): boolean {
  return purpose === 'pair' || purpose === 'replica';
}

main(process.argv[2] ?? '', purposeOf(process.argv[3])).then(
  () => process.exit(0),
  (error: unknown) => {
    if (!stopping.signal.aborted) process.stderr.write(`${String(error)}\n`);
    process.exit(stopping.signal.aborted ? 0 : 1);
  },
);
