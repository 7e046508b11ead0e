import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { isIP } from 'node:net';

/** The resources of a process on this machine. */
export interface ProgramMeter {
  /** Returns the CPU time of all threads in milliseconds, counted in 10 ms steps. */
  cpuMs(): number;
  /** Returns the resident memory in bytes; 0 for a process that has ended. */
  memory(): number;
  /** Counts the open files and connections. */
  openFiles(): number;
}

const pageSize = 4096;
const millisecondsPerTick = 10;

/**
 * Finds the process that listens on a port of this machine.
 *
 * @returns `undefined` for other machines, for systems without /proc, and for processes that belong to other users
 */
export function meterOf(url: URL): ProgramMeter | undefined {
  if (!isLoopback(url.hostname) || !existsSync('/proc/net/tcp')) return undefined;
  const inode = listeningInode(Number(url.port));
  const pid = inode === undefined ? undefined : ownerOf(inode);
  return pid === undefined ? undefined : meterOfProcess(pid);
}

/** Whether a host is this machine. */
export function isLoopback(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, '');
  return address === 'localhost' || address === '::1' || (isIP(address) === 4 && address.startsWith('127.'));
}

function meterOfProcess(pid: string): ProgramMeter {
  const read = (file: string) => readFileSync(`/proc/${pid}/${file}`, 'utf8');
  return {
    cpuMs: () => {
      // The name of the program, in parentheses, may have spaces.
      const fields = read('stat').split(') ')[1]?.split(' ') ?? [];
      return (Number(fields[11]) + Number(fields[12])) * millisecondsPerTick;
    },
    openFiles: () => filesOf(pid).length,
    memory: () => (existsSync(`/proc/${pid}`) ? Number(read('statm').split(' ')[1]) * pageSize : 0),
  };
}

/** Finds the inode that listens on a port. @see proc_net_tcp(5): local address, state (0A listens), inode */
function listeningInode(port: number): string | undefined {
  const files = ['/proc/net/tcp', '/proc/net/tcp6'].filter((file) => existsSync(file));
  const lines = files.flatMap((file) => readFileSync(file, 'utf8').split('\n').slice(1));
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  return lines
    .map((line) => line.trim().split(/\s+/))
    .find(([, local, , state]) => state === '0A' && local?.endsWith(`:${hex}`))?.[9];
}

function ownerOf(inode: string): string | undefined {
  return readdirSync('/proc').find((pid) => /^\d+$/.test(pid) && filesOf(pid).includes(`socket:[${inode}]`));
}

/** Lists the open files of a process. The list is empty if the process has ended or belongs to a different user. */
function filesOf(pid: string): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((file) => readlinkSync(`/proc/${pid}/fd/${file}`));
  } catch {
    return [];
  }
}
