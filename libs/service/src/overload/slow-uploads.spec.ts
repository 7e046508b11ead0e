import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Connections } from '../shutdown/connections';
import { openConnection, readReplies } from '../../testing/raw-http';
import { replyToConnectionError } from '../http/connection-errors';
import { isTooSlow, rejectSlowUploads } from './slow-uploads';

/** Requests to `/form` may take longer than others. */
const mostMs = ({ url }: IncomingMessage) => (url === '/form' ? Infinity : 5000);
const rate = { graceMs: 10_000, bytesPerSecond: 1024, mostMs: () => Infinity };
const secondMs = 1000;

describe('an upload', () => {
  it.each([
    [0, 10, false],
    [0, 10.1, true],
    [10, 10.1, true],
    [5 * 1024, 15, false],
    [5 * 1024, 15.1, true],
    [100 * 1024, 110, false],
  ])('of %i bytes so far, for %f seconds, is too slow: %s', (bytes, seconds, isSlow) => {
    expect(isTooSlow(bytes, seconds * secondMs, rate)).toBe(isSlow);
  });

  describe('to a server', () => {
    let server: Server;
    let port: number;
    let uploads: () => ServerResponse[];

    beforeEach(async () => {
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
      server = createServer((request, response) => {
        request.resume().once('end', () => response.end('whole'));
      });
      server.on('clientError', replyToConnectionError);
      const connections = new Connections(server);
      uploads = () => [...connections.uploads];
      rejectSlowUploads(server, uploads, rate);
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      ({ port } = server.address() as AddressInfo);
    });
    afterEach(async () => {
      vi.useRealTimers();
      server.close();
      await once(server, 'close');
    });

    const head = (length: number, path = '/') =>
      `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${length}\r\n\r\n`;
    const begin = async (length: number, path?: string) => {
      const socket = await openConnection(port);
      socket.write(head(length, path));
      const asked = uploads().length;
      await vi.waitUntil(() => uploads().length > asked);
      return socket;
    };

    it('that never arrives is 408 after ten seconds, and its connection is closed', async () => {
      const sockets = await Promise.all([begin(5), begin(5), begin(5)]);
      const replies = Promise.all(sockets.map(readReplies));
      vi.advanceTimersByTime(10 * secondMs);
      expect(uploads()).toHaveLength(3);
      vi.advanceTimersByTime(2 * secondMs);
      expect((await replies).flat().map(({ status }) => status)).toEqual([408, 408, 408]);
    });

    it('is 408 in the form that its client accepts', async () => {
      const socket = await openConnection(port);
      socket.write(head(5).replace('\r\n\r\n', '\r\nAccept: application/problem+json\r\n\r\n'));
      await vi.waitUntil(() => uploads().length > 0);
      const replies = readReplies(socket);
      vi.advanceTimersByTime(12 * secondMs);
      const [reply] = await replies;
      expect(JSON.parse(reply?.body ?? '')).toMatchObject({ status: 408, code: 'request-timeout' });
    });

    it('that keeps the minimum rate arrives', async () => {
      const seconds = 20;
      const socket = await begin(seconds * 1024);
      const replies = readReplies(socket);
      const [response] = uploads();
      for (let second = 0; second < seconds; second += 1) {
        const before = response.req.socket.bytesRead;
        socket.write(Buffer.alloc(1024));
        await vi.waitUntil(() => response.req.socket.bytesRead >= before + 1024);
        vi.advanceTimersByTime(secondMs);
      }
      expect((await replies).map(({ status }) => status)).toEqual([200]);
    });

    it('that takes longer than a request to its route may is 408', async () => {
      rejectSlowUploads(server, uploads, { ...rate, mostMs });
      const [plain, form] = [await begin(5), await begin(5, '/form')];
      const [refused, accepted] = [readReplies(plain), readReplies(form)];
      vi.advanceTimersByTime(7 * secondMs);
      expect((await refused).map(({ status }) => status)).toEqual([408]);
      form.write('whole');
      expect((await accepted).map(({ status }) => status)).toEqual([200]);
    });

    it('that has arrived is not checked while its response is prepared', async () => {
      const socket = await begin(5);
      vi.advanceTimersByTime(5 * secondMs);
      socket.write('whole');
      expect((await readReplies(socket)).map(({ status }) => status)).toEqual([200]);
      vi.advanceTimersByTime(60 * secondMs);
      expect(uploads()).toEqual([]);
    });
  });
});
