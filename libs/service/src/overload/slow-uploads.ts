import { Repeat } from '@app/persistence';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** The minimum rate for uploads. */
export interface UploadRate {
  /** The time that every body gets to arrive, whatever its size. */
  readonly graceMs: number;
  /** The number of received bytes for which a body gets an additional second. */
  readonly bytesPerSecond: number;
  /** Returns the longest time that a request may take to arrive. */
  readonly mostMs: (request: IncomingMessage) => number;
}

/** The progress of an upload when it was first seen. */
interface Seen {
  readonly atMs: number;
  readonly bytesRead: number;
}

const checkEveryMs = 1000;

/**
 * Rejects uploads below the minimum rate with 408, and closes their connections. Otherwise a client that sends only headers
 * would hold its connection until the request timeout.
 *
 * @param uploads returns the responses to requests that still have to send their body
 */
export function rejectSlowUploads(
  server: Server,
  uploads: () => Iterable<ServerResponse>,
  rate: UploadRate,
): void {
  let seen = new Map<ServerResponse, Seen>();
  const checks = new Repeat(() => {
    seen = checkUploads(seen, uploads(), rate, (response) => reject(server, response));
  }, checkEveryMs);
  checks.start();
  server.once('close', () => void checks.stop());
}

/**
 * Checks the uploads in progress against the state in which they were first seen.
 *
 * @returns the state of the uploads that continue
 */
function checkUploads(
  seen: ReadonlyMap<ServerResponse, Seen>,
  uploads: Iterable<ServerResponse>,
  rate: UploadRate,
  rejectSlow: (response: ServerResponse) => void,
): Map<ServerResponse, Seen> {
  const current = new Map<ServerResponse, Seen>();
  const now = performance.now();
  for (const response of uploads) {
    const bytesRead = response.socket?.bytesRead ?? 0;
    const first = seen.get(response) ?? { atMs: now, bytesRead };
    const elapsedMs = now - first.atMs;
    const isLate = elapsedMs > rate.mostMs(response.req);
    if (isLate || isTooSlow(bytesRead - first.bytesRead, elapsedMs, rate)) rejectSlow(response);
    else current.set(response, first);
  }
  return current;
}

/** Returns whether an upload has taken too long for its number of bytes. */
export function isTooSlow(
  bytes: number,
  elapsedMs: number,
  { graceMs, bytesPerSecond }: Pick<UploadRate, 'graceMs' | 'bytesPerSecond'>,
): boolean {
  return elapsedMs > graceMs + (bytes / bytesPerSecond) * 1000;
}

/** Rejects an upload in the same way as Node does after the request timeout. */
function reject(server: Server, { socket }: ServerResponse): void {
  const error = Object.assign(new Error('the upload is too slow'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
  if (socket) server.emit('clientError', error, socket);
}
