import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A response, parsed from its bytes. */
export interface RawReply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/**
 * Sends raw bytes, which `fetch` cannot send, and reads until the server closes the connection.
 *
 * @param parts written in sequence; the last request should have `Connection: close`
 */
export async function sendRaw(port: number, ...parts: readonly (string | Buffer)[]): Promise<RawReply[]> {
  const socket = await openConnection(port);
  for (const part of parts) socket.write(part);
  return readReplies(socket);
}

/** Opens a connection for tests that write to it themselves. */
export async function openConnection(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' });
  await once(socket, 'connect');
  return socket;
}

/** Reads from a connection until the server closes it. A reset after a response is ignored. */
export async function readReplies(socket: Socket): Promise<RawReply[]> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('error', () => undefined);
  await once(socket, 'close');
  return repliesIn(Buffer.concat(chunks));
}

function repliesIn(bytes: Buffer): RawReply[] {
  const replies: RawReply[] = [];
  let rest = bytes;
  while (rest.length > 0) {
    const end = rest.indexOf('\r\n\r\n');
    const [statusLine, ...fields] = rest.subarray(0, end).toString('latin1').split('\r\n');
    const headers = new Headers(fields.map((field) => split(field)));
    const bodyEnd = end + 4 + Number(headers.get('content-length') ?? 0);
    const body = rest.subarray(end + 4, bodyEnd).toString('utf8');
    const status = Number(statusLine.split(' ')[1]);
    if (status >= 200) replies.push({ status, headers, body });
    rest = rest.subarray(bodyEnd);
  }
  return replies;
}

function split(field: string): [string, string] {
  const colon = field.indexOf(':');
  return [field.slice(0, colon), field.slice(colon + 1).trim()];
}
