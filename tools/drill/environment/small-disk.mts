import { spawnSync } from 'node:child_process';

const isRoot = process.getuid?.() === 0;
/** Without root, in a user namespace of its own. */
const unshare = ['unshare', '--mount', '--propagation', 'private', ...(isRoot ? [] : ['--map-root-user'])];

/** A launcher: what runs by it has a disk of so many bytes at a folder, which nobody else sees. */
export function onSmallDisk(folder: string, size: string): readonly string[] {
  const script = 'mount -t tmpfs -o "size=$0,mode=1777" tmpfs "$1" && shift && exec "$@"';
  return [...unshare, 'sh', '-c', script, size, folder];
}

/** The path by which another process sees that folder. @param pid of one that runs by the launcher */
export function pathOnDisk(pid: number, folder: string): string {
  return `/proc/${pid}/root${folder}`;
}

/** @returns what is missing to have one, as the rest of `needs …` */
export function lacksSmallDisk(store: string): string | undefined {
  if (!isRoot && store === 'postgres') return 'root, for a PostgreSQL server on a small disk';
  const [command = '', ...args] = onSmallDisk('/tmp', '1m');
  return spawnSync(command, [...args, 'true']).status === 0 ? undefined : 'unshare and mount of util-linux';
}
