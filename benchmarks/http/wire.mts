import type { Socket } from 'node:net';
import type { Request } from './routes.mts';

let count = 10_000_000;

/**
 * Keeps this process from sleeping. On a shared machine, a server that responds to a sleeping process has to wake it. Waking
 * costs a virtual machine up to 10 µs, and happens more often for a slow server than for a fast server.
 */
export function stayAwake(): () => void {
  let isOver = false;
  const turn = () => {
    if (!isOver) setImmediate(turn);
  };
  turn();
  return () => (isOver = true);
}

/** Returns a function that writes the request with a different number in the body each time. */
export function writerOf({ method, path, needsToken, body }: Request, token: string): () => string {
  const json = body === undefined ? '' : JSON.stringify(body);
  const head = [
    `${method} ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    ...(needsToken ? [`Authorization: Bearer ${token}`] : []),
    ...(body === undefined ? [] : ['Content-Type: application/json', `Content-Length: ${json.length}`]),
  ].join('\r\n');
  const [before, after] = `${head}\r\n\r\n${json}`.split('00000000', 2);
  return after === undefined ? () => before : () => before + ++count + after;
}

/** Calls back with the status of each complete response. */
export function onResponses(socket: Socket, answered: (status: number) => void): void {
  let pending = '';
  socket.setEncoding('latin1').on('data', (chunk) => {
    pending += String(chunk);
    if (!isWhole(pending)) return;
    const status = Number(pending.slice(9, 12));
    pending = '';
    answered(status);
  });
}

function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return false;
  const length = /\r\ncontent-length: ?(\d+)/i.exec(text.slice(0, end));
  return length ? text.length >= end + 4 + Number(length[1]) : text.endsWith('0\r\n\r\n');
}
