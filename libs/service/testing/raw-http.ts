import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** An answer as its bytes said it. */
export interface RawReply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/**
 * Says to a port what `fetch` would never say, and listens until the other side closes the connection.
 *
 * @param parts written one after the other; a request that shall end the connection says `Connection: close`
 */
export async function speak(port: number, ...parts: readonly (string | Buffer)[]): Promise<RawReply[]> {
  const socket = await open(port);
  for (const part of parts) socket.write(part);
  return hear(socket);
}

/** Opens a connection, for a test that speaks on it by itself. */
export async function open(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' });
  await once(socket, 'connect');
  return socket;
}

/** Listens on a connection until the other side closes it. A reset behind an answer does not undo the answer. */
export async function hear(socket: Socket): Promise<RawReply[]> {
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
