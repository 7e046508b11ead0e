import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { ExpectationError } from './errors';
import { answerToConnection } from './framework-errors';
import { anyForm, writeAnswer, type WrittenAnswer } from './write-answer';

/** Node's own record of the answer that is being written, read by Node's own handler of these errors too. */
interface HttpSocket extends Socket {
  readonly _httpMessage?: ServerResponse | null;
}

/**
 * Answers what came over a connection and is no request, or did not come in time, and closes the connection. An
 * answer that an earlier request on it is still owed goes out first; nothing is written into the midst of one.
 */
export function answerConnectionError(error: NodeJS.ErrnoException, socket: HttpSocket): void {
  const { _httpMessage: owed } = socket;
  if (owed?.req.complete) closeBehind(owed, socket);
  else if (socket.writable && !owed?.headersSent) {
    socket.end(toHttp(writeAnswer(answerToConnection(error), anyForm)), () => socket.destroy());
  } else socket.destroy();
}

/** Answers a request that wants something of the connection which we do not do. Node's own 417 is empty. */
export function refuseExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const { status, headers, body } = writeAnswer(new ExpectationError().answer, anyForm);
  response.writeHead(status, { ...headers, connection: 'close' }).end(body);
}

function closeBehind(owed: ServerResponse, socket: Socket): void {
  owed.shouldKeepAlive = false;
  owed.once('close', () => socket.destroySoon());
}

function toHttp({ status, headers, body }: WrittenAnswer): string {
  const fields = {
    ...headers,
    date: new Date().toUTCString(),
    connection: 'close',
  };
  const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join('')}\r\n${body}`;
}
