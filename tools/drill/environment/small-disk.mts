import { spawnSync } from 'node:child_process';

const isRoot = process.getuid?.() === 0;
/** The command that separates the mounts. Without root it also creates a user namespace. */
const unshare = ['unshare', '--mount', '--propagation', 'private', ...(isRoot ? [] : ['--map-root-user'])];

/** Returns a launcher that mounts a disk with the specified size at a folder. Only the launched process sees the disk. */
export function onSmallDisk(folder: string, size: string): readonly string[] {
  const script = 'mount -t tmpfs -o "size=$0,mode=1777" tmpfs "$1" && shift && exec "$@"';
  return [...unshare, 'sh', '-c', script, size, folder];
}

/** Returns the path at which an outside process sees the folder. @param pid a process that the launcher runs */
export function pathOnDisk(pid: number, folder: string): string {
  return `/proc/${pid}/root${folder}`;
}

/** Returns the missing requirement for a small disk as the rest of `needs …`. */
export function lacksSmallDisk(store: string): string | undefined {
  if (!isRoot && store === 'postgres') return 'root, for a PostgreSQL server on a small disk';
  const [command = '', ...args] = onSmallDisk('/tmp', '1m');
  return spawnSync(command, [...args, 'true']).status === 0 ? undefined : 'unshare and mount of util-linux';
}
