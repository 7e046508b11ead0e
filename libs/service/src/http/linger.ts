import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';

/** What a client may still send after its request was rejected. */
export interface LingerBounds {
  readonly maxBytes: number;
  readonly maxMs: number;
}

/** Long enough for a client that sends all of a file before it reads the response. */
const defaults: LingerBounds = { maxBytes: 16 * 1024 * 1024, maxMs: 10_000 };
const checkEveryMs = 100;

/** The newest request of a connection that was rejected before its body had arrived. */
const rejected = new WeakMap<Socket, IncomingMessage>();

/**
 * Lets a response reach its client although the body of the request has not arrived. If a connection is closed while data of
 * the client is unread, the kernel resets it, and the client loses the response. So the connection is closed for writing
 * first, and the rest of the body is read and discarded, within bounds.
 *
 * A connection is prepared once, however many of its requests are rejected: nothing of a request outlives it.
 *
 * @see RFC 9112 §9.6
 */
export function lingerOnClose(request: IncomingMessage, bounds: LingerBounds = defaults): void {
  const { socket } = request;
  // A request of `inject` has no connection.
  if (!hasPendingBody(request) || !(socket instanceof Socket)) return;
  const isPrepared = rejected.has(socket);
  rejected.set(socket, request);
  if (!isPrepared) prepare(socket, bounds);
}

/** A request without a body is not complete either until Node has emitted its end. */
function hasPendingBody({ complete, headers }: IncomingMessage): boolean {
  return (
    !complete && (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0)
  );
}

function prepare(socket: Socket, { maxBytes, maxMs }: LingerBounds): void {
  // Node calls this when the last response of the connection has been written.
  const closeAtOnce = socket.destroySoon.bind(socket);
  socket.destroySoon = () => {
    const request = rejected.get(socket);
    if (!request || request.complete || socket.destroyed) return closeAtOnce();
    const [startedAt, bytesRead] = [performance.now(), socket.bytesRead];
    const timer = setInterval(() => {
      const isOver = socket.bytesRead - bytesRead > maxBytes || performance.now() - startedAt > maxMs;
      if (isOver) socket.destroy();
    }, checkEveryMs).unref();
    socket.once('close', () => clearInterval(timer));
    request.once('end', closeAtOnce).resume();
    socket.end();
  };
}
