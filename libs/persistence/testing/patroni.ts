import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from './free-port';

/** The folder in which Debian's packages install the servers, by version. */
const SERVERS = '/usr/lib/postgresql';
const START_TIMEOUT_MS = 180_000;

/** A pair of PostgreSQL servers that Patroni manages with etcd: a leader and a synchronous standby. */
export interface PatroniPair {
  /** The URL that names both servers. */
  readonly url: string;
  /** Ends the leader and its Patroni at once, as in a machine failure. */
  killLeader(): Promise<void>;
  /** Stops everything, and removes the data. */
  stop(): Promise<void>;
}

interface Member {
  readonly name: string;
  readonly role: string;
  readonly state: string;
}

interface Node {
  readonly name: string;
  readonly folder: string;
  readonly port: number;
  readonly restPort: number;
  readonly patroni: ChildProcess;
}

interface Cluster {
  readonly folder: string;
  readonly password: string;
  readonly etcdPort: number;
}

/** Whether Debian's packages `patroni`, `etcd-server` and `postgresql` are installed. */
export function hasPatroni(): boolean {
  const programs = ['patroni', 'etcd'].map((program) => spawnSync(program, ['--version']).status);
  return serverFolder() !== undefined && programs.every((status) => status === 0);
}

/** @throws if the standby does not follow within three minutes */
export async function startPatroniPair(): Promise<PatroniPair> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-patroni-'));
  give(folder);
  const cluster: Cluster = {
    folder,
    password: randomBytes(16).toString('hex'),
    etcdPort: await freePort(),
  };
  const etcd = await startEtcd(cluster);
  const nodes = [await startNode(cluster, 'one'), await startNode(cluster, 'two')];
  const stop = async (): Promise<void> => {
    await Promise.all(nodes.map(({ patroni }) => end(patroni, 'SIGTERM')));
    await end(etcd, 'SIGTERM');
    rmSync(folder, { recursive: true });
  };
  try {
    await untilReplicating(nodes);
  } catch (error) {
    await stop();
    throw error;
  }
  const hosts = nodes.map(({ port }) => `127.0.0.1:${port}`).join(',');
  return {
    url: `postgres://sluice:${cluster.password}@${hosts}/postgres`,
    killLeader: () => killLeader(nodes),
    stop,
  };
}

async function startEtcd({ folder, etcdPort }: Cluster): Promise<ChildProcess> {
  const [client, peer] = [`http://127.0.0.1:${etcdPort}`, `http://127.0.0.1:${await freePort()}`];
  return start('etcd', folder, [
    ...['--data-dir', join(folder, 'etcd'), '--log-level', 'error'],
    ...['--listen-client-urls', client, '--advertise-client-urls', client],
    ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer],
    ...['--initial-cluster', `default=${peer}`],
  ]);
}

async function startNode(cluster: Cluster, name: string): Promise<Node> {
  const [folder, port, restPort] = [join(cluster.folder, name), await freePort(), await freePort()];
  mkdirSync(folder);
  give(folder);
  const file = join(folder, 'patroni.json');
  writeFileSync(file, JSON.stringify(settingsOf(cluster, { name, folder, port, restPort })));
  return { name, folder, port, restPort, patroni: start('patroni', folder, [file]) };
}

/** Returns the Patroni settings as JSON, which is valid YAML. */
function settingsOf(
  { password, etcdPort }: Cluster,
  { name, folder, port, restPort }: Omit<Node, 'patroni'>,
) {
  const [server, rest] = [`127.0.0.1:${port}`, `127.0.0.1:${restPort}`];
  return {
    scope: 'sluice',
    name,
    restapi: { listen: rest, connect_address: rest },
    etcd3: { host: `127.0.0.1:${etcdPort}` },
    watchdog: { mode: 'off' },
    log: { level: 'ERROR' },
    bootstrap: {
      dcs: { ttl: 5, loop_wait: 1, retry_timeout: 2, synchronous_mode: true },
      initdb: [{ encoding: 'UTF8' }],
    },
    postgresql: {
      listen: server,
      connect_address: server,
      data_dir: join(folder, 'data'),
      bin_dir: serverFolder(),
      pgpass: join(folder, 'pgpass'),
      basebackup: [{ checkpoint: 'fast' }],
      authentication: {
        superuser: { username: 'sluice', password },
        replication: { username: 'replicator', password },
      },
      parameters: { unix_socket_directories: folder, log_min_messages: 'panic' },
      pg_hba: ['host all all 127.0.0.1/32 md5', 'host replication all 127.0.0.1/32 md5'],
    },
  };
}

/** Returns the folder of the newest servers. */
function serverFolder(): string | undefined {
  const versions = existsSync(SERVERS) ? readdirSync(SERVERS).map(Number) : [];
  const newest = versions.toSorted((a, b) => b - a).at(0);
  return newest === undefined ? undefined : join(SERVERS, String(newest), 'bin');
}

async function untilReplicating(nodes: readonly Node[]): Promise<void> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (performance.now() < deadline) {
    const roles = (await membersOf(nodes)).map(({ role }) => role).toSorted();
    if (roles.join() === 'leader,sync_standby') return;
    await pause(100);
  }
  throw new Error('Patroni has no synchronous standby');
}

/** Returns an empty list while Patroni does not respond. */
function membersOf(nodes: readonly Node[]): Promise<readonly Member[]> {
  return Promise.any(nodes.map(askMembers)).catch(() => []);
}

async function askMembers({ restPort }: Node): Promise<readonly Member[]> {
  const response = await fetch(`http://127.0.0.1:${restPort}/cluster`);
  const { members }: { members: readonly Member[] } = JSON.parse(await response.text());
  return members;
}

async function killLeader(nodes: readonly Node[]): Promise<void> {
  const leader = (await membersOf(nodes)).find(({ role }) => role === 'leader');
  const node = nodes.find(({ name }) => name === leader?.name);
  if (node === undefined) throw new Error('no server leads');
  const [pid] = readFileSync(join(node.folder, 'data', 'postmaster.pid'), 'utf8').split('\n');
  node.patroni.kill('SIGKILL');
  process.kill(Number(pid), 'SIGQUIT');
}

/** Starts a program, as a different user if it refuses to run as root. */
function start(program: string, folder: string, args: readonly string[]): ChildProcess {
  const stdio = ['ignore', 'ignore', 'inherit'] as const;
  return spawn(program, args, {
    ...userOf(),
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder },
    stdio: [...stdio],
  });
}

function userOf(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const nobody = /^nobody:[^:]*:(\d+):(\d+)/m.exec(readFileSync('/etc/passwd', 'utf8'));
  return { uid: Number(nobody?.[1]), gid: Number(nobody?.[2]) };
}

function give(folder: string): void {
  const { uid, gid } = userOf();
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}
