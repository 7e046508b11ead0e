import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';

/** What a client may still send after its request was rejected. */
export interface LingerBounds {
  readonly maxBytes: number;
  readonly maxMs: number;
}

/** Long enough for a client that sends all of a file before it reads the response. */
const defaults: LingerBounds = { maxBytes: 16 * 1024 * 1024, maxMs: 10_000 };
const CHECK_EVERY_MS = 100;

/**
 * Lets a response reach its client although the body of the request has not arrived. If a connection is closed while data of
 * the client is unread, the kernel resets it, and the client loses the response. So the connection is closed for writing
 * first, and the rest of the body is read and discarded, within bounds.
 *
 * @see RFC 9112 §9.6
 */
export function lingerOnClose(request: IncomingMessage, { maxBytes, maxMs }: LingerBounds = defaults): void {
  const { socket } = request;
  // A request of `inject` has no connection.
  if (request.complete || !(socket instanceof Socket)) return;
  // Node calls this when the last response of the connection has been written.
  const closeAtOnce = socket.destroySoon.bind(socket);
  socket.destroySoon = () => {
    if (request.complete || socket.destroyed) return closeAtOnce();
    const [startedAt, bytesRead] = [performance.now(), socket.bytesRead];
    const timer = setInterval(() => {
      const isOver = socket.bytesRead - bytesRead > maxBytes || performance.now() - startedAt > maxMs;
      if (isOver) socket.destroy();
    }, CHECK_EVERY_MS).unref();
    socket.once('close', () => clearInterval(timer));
    request.once('end', closeAtOnce).resume();
    socket.end();
  };
}
