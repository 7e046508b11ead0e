import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { IngressLog } from '../logs/open-logs';
import type { ThrottledLines } from '../logs/throttled-lines';
import { publishRefusal } from './refusals';

/** A load test with a thousand connections from one machine, and some other connections, is never limited. */
const fewestConnections = 1200;
/** A connection takes some 20 KB of memory. */
const mostConnections = 16_384;
const fileShare = 0.5;

/**
 * How many connections an address may have: half of the files that the process may open, within bounds.
 *
 * @param openFiles the limit of the process; `undefined` if it is not known
 */
export function connectionsPerAddress(openFiles: number | undefined): number {
  return Math.min(
    mostConnections,
    Math.max(fewestConnections, Math.floor((openFiles ?? Infinity) * fileShare)),
  );
}

/** How many files this process may open, where Linux says so. */
export function openFileLimit(): number | undefined {
  try {
    const limit = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))?.[1];
    return limit === undefined ? undefined : Number(limit);
  } catch {
    return undefined;
  }
}

/** What {@link limitConnections} needs. */
export interface ConnectionLimit {
  readonly perAddress: number;
  /** What counts as one address. */
  readonly addressOf: (ip: string) => string;
  readonly log: IngressLog;
  readonly lines: ThrottledLines;
}

/** Closes further connections of an address that has too many, so that one address cannot take all that the process may open. */
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
