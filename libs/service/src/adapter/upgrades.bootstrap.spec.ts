import { once } from 'node:events';
import { request as send, type IncomingMessage, type Server } from 'node:http';
import { connect as connectSocket } from 'node:net';
import type { Duplex } from 'node:stream';
import { apiKeyStrategy, AuthModule, Public } from '@app/auth';
import { Returns } from '@app/contract';
import { Controller, Get, Post, type ModuleMetadata } from '@nestjs/common';
import { WsAdapter } from '@nestjs/platform-ws';
import { WebSocketGateway } from '@nestjs/websockets';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createProgram, type ProgramParts } from '../program/create-program.bootstrap';
import { serviceSettings } from '../program/service-settings';
import { ProgramMetrics } from '../metrics/program-metrics.service';
import { readSettings } from '../settings/read-settings';
import { fuzzUpgrades } from '../../testing/fuzz-upgrades';
import { gatherLog } from '../../testing/gather-log';

const callers: Record<string, object> = { user: { role: 'user' }, admin: { role: 'admin' } };

const guarded = AuthModule.forRootAsync({
  useFactory: () => ({
    strategies: [apiKeyStrategy({ name: 'key', check: (key) => callers[key] })],
    roles: ['user', 'admin'],
  }),
});

const slow = Promise.withResolvers<string>();

@Controller()
@Public()
class HomeController {
  @Get('home')
  @Returns('text')
  read(): string {
    return 'home';
  }

  @Get('slow')
  @Returns('text')
  readSlowly(): Promise<string> {
    return slow.promise;
  }

  /** A path that a gateway has, too. */
  @Get('chat')
  @Returns('text')
  readChat(): string {
    return 'chat';
  }

  @Post('home')
  @Returns('text')
  write(): string {
    return 'written';
  }
}

/** Tells which gateway has accepted a connection. */
function gatewayAt(path: string) {
  @WebSocketGateway({ path })
  class Gateway {
    handleConnection(client: { send: (text: string) => void }): void {
      client.send(path);
    }
  }
  return Gateway;
}

const gateways = ['/chat', '/staff', '/lobby/a'].map(gatewayAt);
const useAdapter = (app: NestFastifyApplication) => void app.useWebSocketAdapter(new WsAdapter(app));

describe('upgraded connections', () => {
  const apps: NestFastifyApplication[] = [];
  afterEach(() => Promise.all(apps.splice(0).map((app) => app.close())));

  type Parts = Partial<ProgramParts> & { readonly env?: Record<string, string> };

  async function start(
    { env = {}, ...parts }: Parts = {},
    { imports = [guarded], providers = gateways }: ModuleMetadata = {},
  ): Promise<URL> {
    class Root {}
    const module = { module: Root, imports, controllers: [HomeController], providers };
    const settings = readSettings(serviceSettings, env);
    const moduleRoutes = { '/staff': { roles: ['admin'] }, '/lobby/*': 'public' } as const;
    const app = await createProgram({
      name: 'api',
      module,
      settings,
      configure: useAdapter,
      moduleRoutes: providers === gateways ? moduleRoutes : {},
      ...parts,
    });
    apps.push(app);
    await app.listen(0, '127.0.0.1');
    return new URL(await app.getUrl());
  }

  const handshake = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n';
  const nonce = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';

  /** Sends a request target as it is. @returns the status, and the path that the gateway says */
  async function upgrade({ port }: URL, target: string, key = '', fields = handshake + nonce) {
    const socket = connectSocket(Number(port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(
      `GET ${target} HTTP/1.1\r\nHost: a\r\n${fields}${key && `X-API-Key: ${key}\r\n`}\r\n`,
      'latin1',
    );
    let text = '';
    for await (const bytes of socket.setTimeout(2000, () => socket.destroy())) {
      text += String(bytes);
      if (/^HTTP\/1.1 101 [^]*\r\n\r\n.+/.test(text)) break;
    }
    socket.destroy();
    const [, gateway] = /^HTTP\/1.1 101 [^]*\r\n\r\n..(.+)/.exec(text) ?? [];
    return gateway ?? Number(text.slice(9, 12));
  }

  it('require the caller that the plan of the program names', async () => {
    const url = await start();
    const byKey = (path: string) =>
      Promise.all(['', 'nobody', 'user', 'admin'].map((key) => upgrade(url, path, key)));
    expect(await byKey('/chat?room=1')).toEqual([401, 401, '/chat', '/chat']);
    expect(await byKey('/staff')).toEqual([401, 401, 403, '/staff']);
    expect(await byKey('/lobby/a')).toEqual(['/lobby/a', '/lobby/a', '/lobby/a', '/lobby/a']);
  });

  const spellings =
    '/./staff //x/staff ///staff /x/../staff /%2e/staff /x/%2E%2e/staff /\\x/staff /staff#x /staff?a#b /st%61ff /staff/. ' +
    '/staff/../staff /lobby/../staff /\\staff http://a/staff ws://a/staff HTTP://x/lobby/a * /lobby/%2e%2e/staff /lobby\\a ' +
    '/lobby//a //staff /lobby/..;/../staff /lobby/a/..%2f..%2fstaff';
  it.each([...spellings.split(' '), 'staff', '/stäff'])(
    'are refused if their target has another spelling: %s',
    async (target) => {
      const url = await start();
      for (const key of ['', 'user', 'admin']) expect(await upgrade(url, target, key)).toBe(400);
    },
  );

  it.each(['/', '/home', '/staf', '/staff/', '/Staff', '/staff;x', '/lobby', '/lobby/b', '/docs'])(
    'are a 404 without a gateway: %s',
    async (target) => {
      const url = await start();
      for (const key of ['', 'admin']) expect(await upgrade(url, target, key)).toBe(404);
    },
  );

  it('reach the gateway that a second parser finds, for generated targets', async () => {
    const { difference, statuses } = await fuzzUpgrades(5000, Number(process.env['FUZZ_SEED'] ?? 1));
    expect(difference).toBeUndefined();
    expect(Object.keys(statuses)).toEqual(['101', '400', '401', '403', '404']);
  });

  it('share their path with a route', async () => {
    const url = await start();
    expect(await (await fetch(new URL('/chat', url))).text()).toBe('chat');
    expect(await upgrade(url, '/chat', 'user')).toBe('/chat');
  });

  it('have the prefix of the program', async () => {
    const url = await start({ prefix: '/api' });
    expect([await upgrade(url, '/api/chat', 'user'), await upgrade(url, '/chat', 'user')]).toEqual([
      '/chat',
      404,
    ]);
    expect([await upgrade(url, '/api/staff', 'user'), await upgrade(url, '/api/./staff', 'user')]).toEqual([
      403, 400,
    ]);
    expect(await upgrade(url, '/api//x/staff', 'user')).toBe(400);
  });

  it('are refused in the form of the program', async () => {
    const url = await start();
    const headers = { connection: 'Upgrade', upgrade: 'websocket', accept: 'application/problem+json' };
    const request = send(new URL('/./chat', url).href.replace('/chat', '/./chat'), {
      headers,
      path: '/./chat',
    }).end();
    const [response] = await once(request, 'response');
    expect(response.headers).toMatchObject({ connection: 'close', 'x-request-id': expect.any(String) });
    expect(JSON.parse(String(await once(response, 'data')))).toMatchObject({
      status: 400,
      code: 'ambiguous-path',
    });
  });

  it('end at a handshake that is no WebSocket handshake', async () => {
    const url = await start();
    expect(await upgrade(url, '/lobby/a', '', handshake)).toBe(400);
  });

  it('are WebSockets alone: other requests to upgrade are served as HTTP/1.1', async () => {
    const url = await start();
    const h2c =
      'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA\r\n';
    const close = 'Connection: close\r\n';
    expect(await upgrade(url, '/home', '', h2c + close)).toBe(200);
    expect(await upgrade(url, '/home', '', `${h2c.replace('h2c', 'h2c, websocket')}${close}`)).toBe(200);
    const headers = { connection: 'Upgrade', upgrade: 'h2c', 'content-length': '0' };
    const request = send(new URL('/home', url), { method: 'POST', headers }).end();
    const [response] = await once(request, 'response');
    expect(response.statusCode).toBe(201);
  });

  it('are logged and counted, whether they are accepted or refused', async () => {
    const { lines, logs } = gatherLog();
    const url = await start({ logs, env: { METRICS_PORT: '0' } });
    for (const [path, key] of [
      ['/lobby/a'],
      ['/chat', 'user'],
      ['/chat'],
      ['/./staff', 'user'],
      ['/nowhere'],
    ])
      await upgrade(url, path ?? '', key);
    const completed = () => lines().filter(({ msg }) => msg === 'request completed');
    await vi.waitFor(() => expect(completed()).toHaveLength(5));
    expect(completed().map(({ path, status, address }) => [path, status, address])).toEqual([
      ['/lobby/a', 101, '127.0.0.1'],
      ['/chat', 101, '127.0.0.1'],
      ['/chat', 401, '127.0.0.1'],
      ['/./staff', 400, '127.0.0.1'],
      ['/nowhere', 404, '127.0.0.1'],
    ]);
    const metrics = await apps[0]?.get(ProgramMetrics).render();
    expect(metrics).toContain('http_requests_total{method="GET",route="/chat",status="101"} 1');
    expect(metrics).toContain('http_requests_total{method="GET",route="/chat",status="401"} 1');
    expect(metrics).toContain('http_requests_total{method="GET",route="/*",status="400"} 1');
    expect(metrics).toContain('http_requests_in_flight 0');
  });

  it('are limited by the address of their client, which trusted proxies name', async () => {
    const url = await start({ env: { RATE_LIMIT: '2/1h', TRUST_PROXY: 'loopback' } });
    const from = (address: string) =>
      upgrade(url, '/chat', 'user', `${handshake}${nonce}X-Forwarded-For: ${address}:1234\r\n`);
    const statuses = [];
    for (const address of ['192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.2'])
      statuses.push(await from(address));
    expect(statuses).toEqual(['/chat', '/chat', 429, '/chat']);
    const refused = [];
    for (const target of ['/./chat', '/nowhere', '/chat'])
      refused.push(await upgrade(url, target, '', `${handshake}X-Forwarded-For: 192.0.2.3\r\n`));
    expect(refused).toEqual([400, 404, 429]);
  });

  it('fail the start with a gateway on a port of its own', async () => {
    @WebSocketGateway(0xcafe, { path: '/own' })
    class OwnPortGateway {}
    await expect(start({}, { providers: [OwnPortGateway] })).rejects.toThrow(
      "OwnPortGateway listens on the port 51966 of its own, where no guard checks its callers. Write @WebSocketGateway({ path: '/…' })",
    );
    const server = connectSocket(0xcafe, '127.0.0.1');
    const [error] = await once(server, 'error');
    expect(error).toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('fail the start with an adapter that has a server of its own', async () => {
    await expect(
      start({ configure: (app) => void app.useWebSocketAdapter(new WsAdapter()) }),
    ).rejects.toThrow('new WsAdapter(app)');
  });

  it('fail the start of a program that has no guard, unless they are public', async () => {
    await expect(start({ moduleRoutes: {} }, { imports: [] })).rejects.toThrow(
      'registers UPGRADE /chat, which no guard protects',
    );
    const url = await start({ moduleRoutes: { '/*': 'public' } }, { imports: [] });
    expect(await upgrade(url, '/staff')).toBe('/staff');
  });

  it('fail the start for a path that neither a route nor a gateway has', async () => {
    const moduleRoutes = { '/chats': 'public' } as const;
    await expect(start({ moduleRoutes })).rejects.toThrow(
      "moduleRoutes has '/chats', and no module registers such a route",
    );
  });

  it('close their connection while an earlier response is under way on it', async () => {
    const url = await start({ env: { METRICS_PORT: '0' } });
    const socket = connectSocket(Number(url.port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(
      `GET /slow HTTP/1.1\r\nHost: a\r\n\r\nGET /lobby/a HTTP/1.1\r\nHost: a\r\n${handshake}${nonce}\r\n`,
    );
    let text = '';
    socket.on('data', (bytes) => (text += String(bytes)));
    await once(socket, 'close');
    expect(text).toBe('');
    slow.resolve('slow');
    await vi.waitFor(async () =>
      expect(await apps[0]?.get(ProgramMetrics).render()).toContain('http_requests_in_flight 0'),
    );
  });

  describe('with a listener of a module', () => {
    /** Tells who has connected. */
    const listen = (app: NestFastifyApplication) =>
      void app
        .getHttpServer()
        .on('upgrade', (request: IncomingMessage, socket: Duplex) =>
          socket.end(
            `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n` +
              `..${JSON.stringify(Reflect.get(request, 'user') ?? null)}`,
          ),
        );

    it('are for the paths that the plan names', async () => {
      const moduleRoutes = { '/public': 'public', '/staff/*': { roles: ['admin'] } } as const;
      const url = await start({ configure: listen, moduleRoutes }, { providers: [] });
      expect(await upgrade(url, '/public')).toBe('null');
      expect([await upgrade(url, '/staff/a', 'user'), await upgrade(url, '/staff/a', 'admin')]).toEqual([
        403,
        '{"role":"admin"}',
      ]);
      expect([await upgrade(url, '/chat', 'admin'), await upgrade(url, '/staff/%61', 'admin')]).toEqual([
        404, 400,
      ]);
    });

    it('are HTTP/1.1 if the plan names none', async () => {
      const url = await start({ configure: listen }, { providers: [] });
      expect(await upgrade(url, '/home', '', `${handshake}${nonce}Connection: close\r\n`)).toBe(200);
    });

    it('are closed when they are refused, and outlive connections that are reset', async () => {
      const url = await start({ configure: listen, moduleRoutes: { '/room': {} } }, { providers: [] });
      const open = () => connectSocket({ port: Number(url.port), host: url.hostname, allowHalfOpen: true });
      const refused = open();
      const text = `GET /room HTTP/1.1\r\nHost: a\r\n${handshake}${nonce}\r\n`;
      refused.write(text);
      const [response] = await once(refused, 'data');
      expect(String(response)).toContain(' 401 ');
      // The client does not end it.
      await once(refused, 'end');
      refused.destroy();
      for (let at = 0; at < 50; at++) {
        const reset = open();
        await once(reset, 'connect');
        await new Promise<void>((sent) => reset.write(text, () => sent()));
        reset.resetAndDestroy();
      }
      const server: Server | undefined = apps[0]?.getHttpServer();
      await vi.waitFor(async () =>
        expect(await new Promise((resolve) => server?.getConnections((_, count) => resolve(count)))).toBe(0),
      );
      expect(await upgrade(url, '/room', 'user')).toBe('{"role":"user"}');
    });
  });
});
