import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { ThrottledLines } from '../logs/throttled-lines';
import { connectionsPerAddress, limitConnections, openFileLimit } from './limit-connections';

describe('the limit of connections per address', () => {
  it.each([
    [undefined, 16_384],
    [1024, 1200],
    [4096, 2048],
    [1_048_576, 16_384],
  ])(
    'is half of what the process may open, and never less than 1,200: of %s it is %i',
    (openFiles, limit) => {
      expect(connectionsPerAddress(openFiles)).toBe(limit);
    },
  );

  it('is derived from the limit of the process', () => {
    const expected = process.platform === 'linux' ? 'number' : 'undefined';
    expect(typeof openFileLimit()).toBe(expected);
  });

  describe('of a server', () => {
    let server: Server;
    let port: number;
    const warnings: object[] = [];
    const sockets: Socket[] = [];

    beforeEach(async () => {
      warnings.length = 0;
      server = createServer();
      const log = {
        debug: () => undefined,
        error: () => undefined,
        warn: (fields: object) => void warnings.push(fields),
      };
      limitConnections(server, {
        perAddress: 3,
        addressOf: (ip) => `of ${ip}`,
        log,
        lines: new ThrottledLines(),
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      ({ port } = server.address() as AddressInfo);
    });
    afterEach(async () => {
      for (const socket of sockets.splice(0)) socket.destroy();
      server.close();
      await once(server, 'close');
    });

    /** A connection, and how it ended if the server closed it. */
    async function open(localAddress: string) {
      const socket = connect({ port, host: '127.0.0.1', localAddress });
      socket.on('error', () => undefined);
      sockets.push(socket);
      const accepted = once(server, 'connection');
      await accepted;
      return socket;
    }
    const answers = (socket: Socket) =>
      new Promise<boolean>((resolve) => {
        if (socket.closed) resolve(false);
        socket.once('data', () => resolve(true)).once('close', () => resolve(false));
        socket.write('nothing that is HTTP\r\n\r\n');
      });

    it('closes further ones, and no others', async () => {
      const kept = [await open('127.0.0.1'), await open('127.0.0.1'), await open('127.0.0.1')];
      const [fourth, fifth] = [await open('127.0.0.1'), await open('127.0.0.1')];
      expect([await answers(fourth), await answers(fifth)]).toEqual([false, false]);
      const secondSocket = await open('127.0.0.2');
      expect(await answers(secondSocket)).toBe(true);
      expect(await answers(kept[0])).toBe(true);
      expect(warnings).toEqual([{ address: 'of 127.0.0.1', rejected: 1 }]);
    });

    it('counts those that are open', async () => {
      const [first] = [await open('127.0.0.1'), await open('127.0.0.1'), await open('127.0.0.1')];
      const closed = new Promise<void>((resolve) => {
        server.getConnections((_error, before) => {
          first.destroy();
          const check = () =>
            server.getConnections((_failure, now) => (now < before ? resolve() : setImmediate(check)));
          check();
        });
      });
      await closed;
      expect(await answers(await open('127.0.0.1'))).toBe(true);
    });
  });
});
