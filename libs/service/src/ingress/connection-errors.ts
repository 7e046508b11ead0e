import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { ExpectationError } from './errors';
import { replyToConnection } from './framework-errors';
import { anyForm, writeErrorReply, type WrittenReply } from './write-error';

/** Node's own record of the reply that is being written, read by Node's own handler of these errors too. */
interface HttpSocket extends Socket {
  readonly _httpMessage?: ServerResponse | null;
}

/**
 * Answers what came over a connection and is no request, or did not come in time, and closes the connection. An
 * reply that an earlier request on it is still owed goes out first; nothing is written into the midst of one.
 */
export function answerConnectionError(error: NodeJS.ErrnoException, socket: HttpSocket): void {
  const { _httpMessage: owed } = socket;
  if (owed?.req.complete) closeBehind(owed, socket);
  else if (socket.writable && !owed?.headersSent) {
    socket.end(toHttp(writeErrorReply(replyToConnection(error), anyForm)), () => socket.destroy());
  } else socket.destroy();
}

/** Answers a request that wants something of the connection which we do not do. Node's own 417 is empty. */
export function rejectExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const { status, headers, body } = writeErrorReply(new ExpectationError().reply, anyForm);
  response.writeHead(status, { ...headers, connection: 'close' }).end(body);
}

function closeBehind(owed: ServerResponse, socket: Socket): void {
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
