import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openConnection, readReplies, sendRaw } from '../../testing/raw-http';
import { limitPipelining } from './limit-pipelining';

const largeBytes = 128 * 1024;

describe('pipelined requests', () => {
  let server: Server;
  let port: number;
  const large: ServerResponse[] = [];
  const started: { readonly url: string; readonly response: ServerResponse }[] = [];

  beforeEach(async () => {
    started.length = 0;
    large.length = 0;
    server = createServer(
      limitPipelining((request, response) => {
        if (request.url === '/quick') response.end('quick');
        else if (request.url === '/large') {
          large.push(response);
          response.end(Buffer.alloc(largeBytes));
        } else started.push({ url: request.url ?? '', response });
      }),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  });
  afterEach(() => void server.close());

  const get = (path: string, fields = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${fields}\r\n`;
  const quick = () => sendRaw(port, get('/quick', 'Connection: close\r\n'));

  it('are delayed beyond seventeen of a connection, and then responded to in their order', async () => {
    const paths = Array.from({ length: 300 }, (_, index) => `/${index}`);
    const socket = await openConnection(port);
    const last = paths.length - 1;
    const requests = paths.map((path, index) => get(path, index === last ? 'Connection: close\r\n' : ''));
    socket.write(requests.join(''));
    await vi.waitFor(() => expect(started.length).toBeGreaterThan(0), 10_000);
    await quick();
    expect(started.map(({ url }) => url)).toEqual(paths.slice(0, 17));

    const replies = readReplies(socket);
    for (let index = 0; index < paths.length; index += 1) {
      await vi.waitFor(() => expect(started.length).toBeGreaterThan(index), 10_000);
      const { url, response } = started[index];
      response.setHeader('Content-Length', url.length).end(url);
    }
    expect((await replies).map(({ body }) => body)).toEqual(paths);
  });

  it('are delayed while responses of 256 KiB wait for a client that does not read', async () => {
    const socket = await openConnection(port);
    const others = 299;
    socket.write(get('/large').repeat(others) + get('/large', 'Connection: close\r\n'));
    const serverSocket = await vi.waitFor(() => large[0].req.socket, 10_000);
    // What the kernel takes for the client does not count.
    await vi.waitUntil(() => serverSocket.isPaused() && serverSocket.writableLength > 0, { timeout: 10_000 });
    await quick();
    let unread = serverSocket.writableLength;
    for (const response of large)
      if (response.socket === null && !response.destroyed) unread += response.writableLength;
    expect(unread).toBeLessThan(256 * 1024 + 3 * largeBytes);
    expect(large.length).toBeLessThan(others);
    expect(await readReplies(socket)).toHaveLength(others + 1);
  });

  it('are dropped with their connection, and other connections are answered', async () => {
    const socket = await openConnection(port);
    socket.write(get('/held').repeat(100));
    await vi.waitFor(() => expect(started).toHaveLength(17), 10_000);
    socket.resetAndDestroy();
    await once(socket, 'close');
    // Nothing is read from the connection, so its end is noticed by writing.
    const closed = started.map(({ response }) => once(response, 'close'));
    for (const { response } of started) {
      response.end('late');
      await quick();
    }
    await Promise.all(closed);
    expect((await quick())[0]?.body).toBe('quick');
    expect(started).toHaveLength(17);
  });
});
