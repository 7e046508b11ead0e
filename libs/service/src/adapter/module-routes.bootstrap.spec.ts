import type { Server } from 'node:http';
import { apiKeyStrategy, AuthModule, Public } from '@app/auth';
import { exposureOf, Returns, routeLines } from '@app/contract';
import { Controller, Get, Injectable, type ModuleMetadata, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { createProgram, type ProgramParts } from '../program/create-program.bootstrap';
import { serviceSettings } from '../program/service-settings';
import { describeModuleRoutes } from './describe-module-routes.discovery';
import { readSettings } from '../settings/read-settings';

const callers: Record<string, object> = { user: { role: 'user' }, admin: { role: 'admin' } };

const guarded = AuthModule.forRootAsync({
  useFactory: () => ({
    strategies: [
      apiKeyStrategy({ name: 'key', check: (key) => callers[key] }),
      apiKeyStrategy({ name: 'badge', header: 'X-Badge', check: (key) => callers[key] }),
    ],
    roles: ['user', 'admin'],
  }),
});

@Controller()
@Public()
class HomeController {
  @Get('home')
  @Returns('text')
  read(): string {
    return 'home';
  }
}

/** Registers routes as GraphQL (at its start), Bull Board (a plugin with a prefix) and ServeStatic (a wildcard) do. */
@Injectable()
class ForeignModule implements OnModuleInit {
  constructor(private readonly host: HttpAdapterHost) {
    host.httpAdapter.get('/early', (_: unknown, reply: { send(text: string): void }) => reply.send('early'));
  }

  async onModuleInit(): Promise<void> {
    const server: FastifyInstance = this.host.httpAdapter.getInstance();
    server.route({
      method: ['GET', 'POST'],
      url: '/graphql',
      handler: async (request) => Reflect.get(request, 'user') ?? 'nobody',
    });
    // Awaited, as by GraphQL: it is loaded before Nest sets its handler of errors.
    await server.register(
      async (inner) => {
        inner.get('/', async () => 'queues');
        inner.get('/jobs', async () => 'jobs');
      },
      { prefix: '/queues' },
    );
    server.get('/assets/*', async () => 'asset');
    server.get('/marked', { config: { isPublic: true } }, async () => 'marked');
  }
}

describe('what modules register', () => {
  const apps: NestFastifyApplication[] = [];
  afterEach(() => Promise.all(apps.splice(0).map((app) => app.close())));

  async function start(
    parts: Pick<ProgramParts, 'moduleRoutes' | 'prefix' | 'configure'> = {},
    imports: ModuleMetadata['imports'] = [guarded],
  ): Promise<string> {
    class Root {}
    const module = { module: Root, imports, controllers: [HomeController], providers: [ForeignModule] };
    const settings = readSettings(serviceSettings, {});
    const app = await createProgram({ name: 'api', module, settings, ...parts });
    apps.push(app);
    await app.listen(0, '127.0.0.1');
    return `${await app.getUrl()}${parts.prefix ?? ''}`;
  }

  const statusOf = async (url: string, headers: Record<string, string> = {}, method = 'GET') =>
    (await fetch(url, { method, headers })).status;
  const key = (name: string) => ({ 'x-api-key': name });

  it.each(['/early', '/graphql', '/queues', '/queues/jobs', '/assets/a/b.js'])(
    'is closed, and open to callers: %s',
    async (path) => {
      const url = (await start()) + path;
      for (const method of ['GET', 'HEAD'])
        expect([method, await statusOf(url, {}, method)]).toEqual([method, 401]);
      expect(await statusOf(url, key('nobody'))).toBe(401);
      expect(await statusOf(url, key('user'))).toBe(200);
    },
  );

  it('is refused in the form of the program, and has its caller', async () => {
    const url = await start();
    for (const path of ['/graphql', '/queues']) {
      const refused = await fetch(url + path);
      expect([path, refused.status, await refused.json()]).toEqual([
        path,
        401,
        { statusCode: 401, message: 'Unauthorized' },
      ]);
    }
    expect(await (await fetch(`${url}/graphql`, { headers: key('admin') })).json()).toEqual({
      role: 'admin',
    });
  });

  it('leaves routes of controllers, and those that are marked, as they are', async () => {
    const url = await start();
    for (const path of ['/home', '/health/live', '/docs', '/marked'])
      expect([path, await statusOf(url + path)]).toEqual([path, 200]);
  });

  it('is for whom the plan says: everybody, roles, or callers of other strategies; the longest path decides', async () => {
    const url = await start({
      moduleRoutes: {
        '/assets/*': 'public',
        '/queues/*': { roles: ['admin'] },
        '/queues/jobs': { strategies: ['badge'] },
      },
    });
    expect(await statusOf(`${url}/assets/a.js`)).toBe(200);
    expect([await statusOf(`${url}/queues`), await statusOf(`${url}/queues`, key('user'))]).toEqual([
      401, 403,
    ]);
    expect(await statusOf(`${url}/queues`, key('admin'))).toBe(200);
    expect(await statusOf(`${url}/queues/jobs`, key('admin'))).toBe(401);
    expect(await statusOf(`${url}/queues/jobs`, { 'x-badge': 'user' })).toBe(200);
    expect(await statusOf(`${url}/graphql`)).toBe(401);
  });

  it('is in the lock and the list of routes as the plan says it', async () => {
    const moduleRoutes = {
      '/assets/*': 'public',
      '/queues/*': { roles: ['admin'] },
      '/graphql': { strategies: ['badge', 'key'] },
    } as const;
    await start({ moduleRoutes });
    const [app] = apps;
    const routes = app ? describeModuleRoutes(app, moduleRoutes) : [];
    const closed = { accepts: {}, sends: ['anything'] };
    expect(exposureOf(routes)).toMatchObject({
      'ANY /assets/*': { audience: 'anyone', strategies: [], roles: [] },
      'ANY /queues/*': { audience: 'administrator', strategies: ['key'], roles: ['admin'] },
      'ANY /graphql': { audience: 'user', strategies: ['badge', 'key'], roles: [], ...closed },
    });
    expect(
      routeLines(routes, () => 'foreign').map((line) => `${line.method} ${line.path} ${line.callers}`),
    ).toEqual(['ANY /assets/* anyone', 'ANY /queues/* key, role admin', 'ANY /graphql badge or key']);
  });

  it('has the prefix of the program', async () => {
    const url = await start({ prefix: '/api', moduleRoutes: { '/assets/*': 'public' } });
    expect(await statusOf(`${url}/assets/a.js`)).toBe(200);
    expect([await statusOf(`${url}/graphql`), await statusOf(new URL('/graphql', url).href)]).toEqual([
      401, 404,
    ]);
  });

  it('fails the start with an entry that no module registers', async () => {
    await expect(start({ moduleRoutes: { '/grahpql': 'public' } })).rejects.toThrow(
      "moduleRoutes has '/grahpql', and no module registers such a route",
    );
  });

  it('fails the start with a strategy or a role that does not exist', async () => {
    await expect(start({ moduleRoutes: { '/graphql': { roles: ['amdin'] } } })).rejects.toThrow(
      "requires the role 'amdin'",
    );
  });

  it('fails the start of a program that has no guard, unless all of it is public', async () => {
    await expect(start({}, [])).rejects.toThrow('registers GET /early, which no guard protects');
    const all = ['/early', '/graphql', '/queues/*', '/assets/*'];
    const url = await start({ moduleRoutes: Object.fromEntries(all.map((path) => [path, 'public'])) }, []);
    expect(await statusOf(`${url}/graphql`)).toBe(200);
  });

  it.each(['configure', 'its start'])(
    'fails the start if it takes requests from the server, in %s',
    async (when) => {
      // As Socket.IO does for HTTP polling.
      const take = (server: Server) => {
        const listeners = server.listeners('request');
        server.removeAllListeners('request');
        server.on('request', (request, response) => {
          if (request.url?.startsWith('/socket.io/')) response.end('open');
          else for (const listen of listeners) Reflect.apply(listen, server, [request, response]);
        });
      };
      @Injectable()
      class Polling implements OnModuleInit {
        constructor(private readonly host: HttpAdapterHost) {}
        onModuleInit(): void {
          take(this.host.httpAdapter.getHttpServer());
        }
      }
      class PollingModule {}
      const started =
        when === 'configure'
          ? start({ configure: (app) => take(app.getHttpServer()) })
          : start({}, [guarded, { module: PollingModule, providers: [Polling] }]);
      await expect(started).rejects.toThrow('A module handles requests of the HTTP server itself');
    },
  );

  it.each(['connect', 'checkContinue'])(
    'fails the start if it takes %s events from the server',
    async (event) => {
      const configure = (app: NestFastifyApplication) => void app.getHttpServer().on(event, () => undefined);
      await expect(start({ configure })).rejects.toThrow(
        `A module handles ${event} events of the HTTP server itself`,
      );
    },
  );
});
