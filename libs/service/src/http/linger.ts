import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';

/** The amount of data and time that a client still gets after its request was rejected. */
export interface LingerBounds {
  readonly maxBytes: number;
  readonly maxMs: number;
}

/** The default bounds. They suit a client that sends a whole file before it reads the response. */
const defaults: LingerBounds = { maxBytes: 16 * 1024 * 1024, maxMs: 10_000 };
const checkEveryMs = 100;

/** The newest request on each connection that was rejected before its body arrived. */
const rejected = new WeakMap<Socket, IncomingMessage>();

/**
 * Lets a response reach its client although the request body has not arrived. If a connection closes with unread client data,
 * the kernel resets it and the client loses the response. The connection is therefore closed for writing first, and the
 * remaining body is read and discarded within bounds.
 *
 * Each connection is prepared once, however many requests are rejected on it, and keeps only the newest rejected request.
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

/** Returns whether a body is still arriving. Even a request without a body is incomplete until Node emits its end. */
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
