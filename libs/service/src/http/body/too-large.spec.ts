import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type IngressApp, openIngressApp } from '../../../testing/ingress-app';
import { IngressAppController } from '../../../testing/ingress-app.controller';
import { openConnection, readReplies } from '../../../testing/raw-http';

const megabyte = 1024 * 1024;

describe('a body that is far too large', () => {
  let app: IngressApp;
  beforeAll(async () => void (app = await openIngressApp([IngressAppController])));
  afterAll(() => app.close());

  const head = (...fields: string[]) =>
    [`POST /echo HTTP/1.1`, 'Host: x', 'Content-Type: application/json', ...fields, '', ''].join('\r\n');

  /** Writes without reading, as many clients do. */
  async function write(socket: Socket, bytes: number, frame = (text: Buffer) => [text]): Promise<void> {
    const part = Buffer.alloc(64 * 1024, 'x');
    for (let sent = 0; sent < bytes; sent += part.length) {
      for (const piece of frame(part)) if (!socket.write(piece)) await once(socket, 'drain');
      await nextTurn();
    }
  }

  it.each([
    ['with Content-Length', 'keep-alive'],
    ['with Content-Length, on a connection that ends', 'close'],
  ])('gets its 413 after it was sent completely, %s', async (_how, connection) => {
    const bytes = 4 * megabyte;
    const clients = Array.from({ length: 8 }, async () => {
      const socket = await openConnection(app.port);
      socket.write(head(`Content-Length: ${bytes}`, `Connection: ${connection}`));
      await write(socket, bytes);
      return readReplies(socket);
    });
    const replies = (await Promise.all(clients)).flat();
    expect(replies.map(({ status }) => status)).toEqual(Array(8).fill(413));
    expect(replies[0].headers.get('connection')).toBe('close');
  });

  it('gets its 413 in chunks too', async () => {
    const socket = await openConnection(app.port);
    socket.write(head('Transfer-Encoding: chunked'));
    await write(socket, 4 * megabyte, (part) => [
      Buffer.from(`${part.length.toString(16)}\r\n`),
      part,
      Buffer.from('\r\n'),
    ]);
    socket.write('0\r\n\r\n');
    expect((await readReplies(socket)).map(({ status }) => status)).toEqual([413]);
  });
});
