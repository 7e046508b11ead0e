import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { ExpectationError } from './errors';
import { replyToConnection } from './framework-errors';
import { anyForm, writeErrorReply, type WrittenReply } from './write-error';

/** Node's own record of the response that is being written; Node's default `clientError` handler reads it too. */
interface HttpSocket extends Socket {
  readonly _httpMessage?: ServerResponse | null;
}

/**
 * Replies to bytes that are not a valid request, or that arrived too slowly, and closes the connection. A response
 * that is pending for an earlier request is sent first; nothing is written into the middle of one.
 */
export function replyToConnectionError(error: NodeJS.ErrnoException, socket: HttpSocket): void {
  const { _httpMessage: pending } = socket;
  if (pending?.req.complete) closeAfter(pending, socket);
  else if (socket.writable && !pending?.headersSent) {
    socket.end(toHttp(writeErrorReply(replyToConnection(error), anyForm)), () => socket.destroy());
  } else socket.destroy();
}

/** Replies to an unsupported `Expect` header. Node's own 417 has no body. */
export function rejectExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const { status, headers, body } = writeErrorReply(new ExpectationError().reply, anyForm);
  response.writeHead(status, { ...headers, connection: 'close' }).end(body);
}

function closeAfter(owed: ServerResponse, socket: Socket): void {
  owed.shouldKeepAlive = false;
  owed.once('close', () => socket.destroySoon());
}

function toHttp({ status, headers, body }: WrittenReply): string {
  const fields = {
    ...headers,
    date: new Date().toUTCString(),
    connection: 'close',
  };
  const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join('')}\r\n${body}`;
}
