import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { answerToConnection } from './framework-errors';
import { writeAnswer, type WrittenAnswer } from './write-answer';

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
    socket.end(toHttp(writeAnswer(answerToConnection(error), plain)), () => socket.destroy());
  } else socket.destroy();
}

/** None of these errors is about rules of input. */
const plain = { ERROR_SHAPE: 'list', ERROR_MESSAGES: 'on' } as const;

function closeBehind(owed: ServerResponse, socket: Socket): void {
  owed.shouldKeepAlive = false;
  owed.once('close', () => socket.destroySoon());
}

function toHttp({ status, headers, body }: WrittenAnswer): string {
  const fields = {
    ...headers,
    date: new Date().toUTCString(),
    connection: 'close',
    'content-length': Buffer.byteLength(body),
  };
  const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join('')}\r\n${body}`;
}
