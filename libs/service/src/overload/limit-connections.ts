import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { IngressLog } from '../logs/open-logs';
import type { ThrottledLines } from '../logs/throttled-lines';
import { publishRefusal } from './refusals';

/** The lower bound: a load test with a thousand connections from a single machine, and some more, is never limited. */
const fewestConnections = 1200;
/** The upper bound, because a connection takes some 20 KB of memory. */
const mostConnections = 16_384;
const fileShare = 0.5;

/**
 * Counts the connections allowed per address. It is half the process's open-file limit, within bounds.
 *
 * @param openFiles the process limit; `undefined` if it is unknown
 */
export function connectionsPerAddress(openFiles: number | undefined): number {
  return Math.min(
    mostConnections,
    Math.max(fewestConnections, Math.floor((openFiles ?? Infinity) * fileShare)),
  );
}

/** Counts the files that this process may open, or `undefined` if Linux does not report it. */
export function openFileLimit(): number | undefined {
  try {
    const limit = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))?.[1];
    return limit === undefined ? undefined : Number(limit);
  } catch {
    return undefined;
  }
}

/** The options for {@link limitConnections}. */
export interface ConnectionLimit {
  readonly perAddress: number;
  /** Returns the address under which an IP address is counted. */
  readonly addressOf: (ip: string) => string;
  readonly log: IngressLog;
  readonly lines: ThrottledLines;
}

/** Closes further connections from an address that has too many, so that an address cannot use up the process's open files. */
export function limitConnections(
  server: Server,
  { perAddress, addressOf, log, lines }: ConnectionLimit,
): void {
  const counts = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const address = addressOf(socket.remoteAddress ?? '');
    const count = (counts.get(address) ?? 0) + 1;
    counts.set(address, count);
    socket.once('close', () => release(counts, address));
    if (count <= perAddress) return;
    socket.resetAndDestroy();
    publishRefusal('connections');
    lines.add('connections', (rejected) => log.warn({ address, rejected }, 'too many connections'));
  });
}

function release(counts: Map<string, number>, address: string): void {
  const left = (counts.get(address) ?? 1) - 1;
  if (left === 0) counts.delete(address);
  else counts.set(address, left);
}
