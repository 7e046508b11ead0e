import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { readReplies } from '../../testing/raw-http';
import { replyToConnectionError } from './connection-errors';
import { lingerOnClose } from './linger';

describe('a connection that is closed before the complete request has arrived', () => {
  let server: Server;
  let port: number;
  const bounds = { maxBytes: 1024 * 1024, maxMs: 10_000 };

  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    server = createServer((request, response) => {
      lingerOnClose(request, bounds);
      response.writeHead(413, { Connection: 'close', 'Content-Length': 0 }).end();
    });
    server.on('clientError', replyToConnectionError);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  });
  afterEach(async () => {
    vi.useRealTimers();
    server.close();
    await once(server, 'close');
  });

  async function begin(length: number) {
    const accepted = once(server, 'connection');
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`);
    const [serverSocket] = await accepted;
    const ended = once(socket, 'end');
    const replies = readReplies(socket);
    await ended;
    return { socket, serverSocket, replies };
  }

  it('is closed for writing first, and then by the client', async () => {
    const { socket, serverSocket, replies } = await begin(10_000);
    expect(serverSocket.destroyed).toBe(false);
    socket.end();
    expect(await replies).toMatchObject([{ status: 413 }]);
  });

  it('is closed when the body has arrived', async () => {
    const { serverSocket, socket, replies } = await begin(5);
    socket.write('whole');
    await once(serverSocket, 'close');
    socket.end();
    expect(await replies).toMatchObject([{ status: 413 }]);
  });

  it('is closed after ten seconds', async () => {
    const { serverSocket } = await begin(10_000);
    vi.advanceTimersByTime(10_000);
    expect(serverSocket.destroyed).toBe(false);
    vi.advanceTimersByTime(200);
    expect(serverSocket.destroyed).toBe(true);
    expect(vi.getTimerCount()).toBe(1);
  });

  it('is closed after as many bytes as are allowed', async () => {
    const { serverSocket, socket } = await begin(10 * bounds.maxBytes);
    const before = serverSocket.bytesRead;
    socket.write(Buffer.alloc(bounds.maxBytes + 1));
    await vi.waitUntil(() => serverSocket.bytesRead - before > bounds.maxBytes);
    vi.advanceTimersByTime(100);
    expect(serverSocket.destroyed).toBe(true);
  });
});
