import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorReply } from '@app/http-errors';
import { ExpectationError } from './errors';
import { replyToConnection } from './framework-errors';
import { prefersProblem } from './preferred-type';
import { anyForm, writeErrorReply, type WrittenReply } from './write-error';
import { writeProblem } from './write-problem';

/** Node's own record of the response that is being written; Node's default `clientError` handler reads it too. */
interface HttpSocket extends Socket {
  readonly _httpMessage?: ServerResponse | null;
}

/**
 * Replies to bytes that are not a valid request, or that arrived too slowly, and closes the connection. A response
 * that is pending for an earlier request is sent first; nothing is written into the middle of one.
 *
 * @param pathPrefix how paths begin for clients
 */
export function replyToConnectionError(
  error: NodeJS.ErrnoException,
  socket: HttpSocket,
  pathPrefix = '',
): void {
  const { _httpMessage: pending } = socket;
  if (pending?.req.complete) closeAfter(pending, socket);
  else if (socket.writable && !pending?.headersSent) {
    const written = writtenFor(replyToConnection(error), pending?.req, pathPrefix);
    socket.end(toHttp(written), () => socket.destroy());
  } else socket.destroy();
}

/**
 * Replies to an unsupported `Expect` header. Node's own 417 has no body.
 *
 * @param pathPrefix how paths begin for clients
 */
export function rejectExpectation(
  request: IncomingMessage,
  response: ServerResponse,
  pathPrefix: string,
): void {
  const { status, headers, body } = writtenFor(new ExpectationError().reply, request, pathPrefix);
  response.writeHead(status, { ...headers, connection: 'close' }).end(body);
}

/** @param request if its header fields have arrived; it has no id yet */
function writtenFor(
  reply: ErrorReply,
  request: IncomingMessage | undefined,
  pathPrefix: string,
): WrittenReply {
  return prefersProblem(request?.headers.accept)
    ? writeProblem(reply, anyForm, undefined, pathPrefix)
    : writeErrorReply(reply, anyForm);
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
