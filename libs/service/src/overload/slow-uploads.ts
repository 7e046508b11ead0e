import { Repeat } from '@app/persistence';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** The least rate of uploads. */
export interface UploadRate {
  /** A body may take this long in any case. */
  readonly graceMs: number;
  /** Each second beyond needs this many bytes before. */
  readonly bytesPerSecond: number;
  /** The longest that a request may take to arrive. */
  readonly mostMs: (request: IncomingMessage) => number;
}

/** The progress of an upload when it was seen first. */
interface Seen {
  readonly atMs: number;
  readonly bytesRead: number;
}

const checkEveryMs = 1000;

/**
 * Rejects uploads that are slower than the least rate, with 408, and closes their connections. Otherwise a client that sends
 * headers and no body would hold its connection until the request timeout.
 *
 * @param uploads the responses to requests whose body has not arrived
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
 * Checks the uploads that were seen before.
 *
 * @returns the state of the current ones
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

/** Whether an upload of so many bytes should not have taken so long. */
export function isTooSlow(
  bytes: number,
  elapsedMs: number,
  { graceMs, bytesPerSecond }: Pick<UploadRate, 'graceMs' | 'bytesPerSecond'>,
): boolean {
  return elapsedMs > graceMs + (bytes / bytesPerSecond) * 1000;
}

/** As Node does when the request timeout is over. */
function reject(server: Server, { socket }: ServerResponse): void {
  const error = Object.assign(new Error('the upload is too slow'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
  if (socket) server.emit('clientError', error, socket);
}
