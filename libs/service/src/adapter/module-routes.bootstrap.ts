import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { AuthGuard } from '@app/auth';
import { HttpError } from '@app/http-errors';
import type { INestApplication } from '@nestjs/common';
import { ApplicationConfig, DiscoveryService } from '@nestjs/core';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { OpenRouteError } from '../http/plugins';
import { decoratedRoute, type ModuleRouteAccess, type ModuleRoutes } from './module-route.decorator';

type Check = NonNullable<ReturnType<AuthGuard['checkOf']>>;

/** A path that something else than a controller serves. */
interface Registered {
  readonly route: string;
  readonly path: string;
  check?: Check;
}

/**
 * Closes what modules and plugins register beside the controllers: their routes, and connections that are upgraded, such as those of
 * a WebSocket gateway. Each requires a caller, unless the plan of the program says otherwise.
 */
export class ModuleRouteGuard {
  private readonly registered: Registered[] = [];
  private isNestRegistering = false;
  private guard: AuthGuard | undefined;
  private handlers: readonly Function[] = [];

  constructor(private readonly declared: ModuleRoutes) {}

  /** Sees the routes of a server; to be called before there are any. */
  watch(server: FastifyInstance): void {
    server.addHook('onRoute', (route) => this.close(route));
  }

  /** Tells Nest's own registration of controllers from that of others; to be called before `init`. */
  trust(app: INestApplication): void {
    const resolver: unknown = Reflect.get(app, 'routesResolver');
    for (const method of ['resolve', 'registerResolvedRoute']) {
      const register: unknown = Reflect.get(Object(resolver), method);
      if (typeof register !== 'function') throw new TypeError(`NestJS has no RoutesResolver.${method}`);
      Reflect.set(Object(resolver), method, (...given: unknown[]) => {
        this.isNestRegistering = true;
        try {
          return Reflect.apply(register, resolver, given);
        } finally {
          this.isNestRegistering = false;
        }
      });
    }
  }

  /** Takes the listeners of `request` that a server has for the program's own. */
  noteHandlers(server: Server): void {
    this.handlers = server.listeners('request');
  }

  /** @throws TypeError if a module has put its own in their place: that has a request before its caller is checked */
  checkHandlers(server: Server): void {
    const handlers = new Set<Function>(server.listeners('request'));
    if (this.handlers.every((one) => handlers.has(one))) return;
    throw new TypeError(
      'A module handles requests of the HTTP server itself, as Socket.IO does for HTTP polling, where no guard checks its callers. ' +
        'Register a route in its place, or an adapter that handles upgrades alone, such as WsAdapter of @nestjs/platform-ws.',
    );
  }

  /**
   * Reads who may call each route, and closes upgrades of connections; to be called once all routes are registered.
   *
   * @throws OpenRouteError if a route or an upgrade is closed, and the program has no guard
   * @throws TypeError for an entry of the plan that no route has, or for a handler of requests that no guard sees
   */
  seal(app: INestApplication, server: Server): void {
    this.checkHandlers(server);
    const config: unknown = Reflect.get(app, 'config');
    if (config instanceof ApplicationConfig)
      this.guard = config.getGlobalGuards().find((one) => one instanceof AuthGuard);
    for (const one of this.registered) one.check = this.checkOf(one.path, one.route);
    const upgraded = upgradedPaths(app, server);
    for (const path of Object.keys(this.declared)) {
      const isUsed = this.registered.some((one) => covers(path, one.path));
      if (!isUsed && upgraded?.some((one) => covers(path, one)) === false)
        throw new TypeError(
          `moduleRoutes has '${path}', and no module registers such a route. Correct the path, or remove it.`,
        );
    }
    if (server.listenerCount('upgrade') > 0) this.closeUpgrades(server);
  }

  private close(route: RouteOptions): void {
    const { method, url: path, config } = route;
    // A preflight has no credentials.
    if (this.isNestRegistering || config?.isOfController === true || method === 'OPTIONS') return;
    // What it sends is its own: no class declares it.
    route.config = { ...config, response: anything };
    if (config?.isPublic === true) return;
    const registered: Registered = { route: `${[method].flat().join()} ${path}`, path };
    this.registered.push(registered);
    route.onRequest = [
      async (request) => void (await registered.check?.(request)),
      ...[route.onRequest ?? []].flat(),
    ];
  }

  /** @returns `undefined` for what is public */
  private checkOf(path: string, route: string): Check | undefined {
    const access = this.accessOf(path);
    if (access === 'public') return undefined;
    if (this.guard === undefined) throw new OpenRouteError(route);
    const { handler, controller } = decoratedRoute(access);
    return this.guard.checkOf(handler, controller);
  }

  /** That of the longest path of the plan; a caller is required where there is none. */
  private accessOf(path: string): ModuleRouteAccess {
    const [found] = Object.entries(this.declared)
      .filter(([declared]) => covers(declared, path))
      .toSorted(([one], [other]) => other.length - one.length);
    return found?.[1] ?? closed;
  }

  /** Of a request to upgrade, no route is looked up: it is authorized before whoever upgrades it hears of it. */
  private closeUpgrades(server: Server): void {
    const listeners = server.listeners('upgrade');
    this.checkOf('*', 'UPGRADE *');
    const checks = new Map<ModuleRouteAccess, Check | undefined>();
    server.removeAllListeners('upgrade');
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      const [path = '/'] = (request.url ?? '/').split('?', 1);
      const access = this.accessOf(path);
      if (!checks.has(access)) checks.set(access, this.checkOf(path, `UPGRADE ${path}`));
      // Node has left the connection to whoever upgrades it: its errors would end the program.
      socket.on('error', ignore);
      authorizeUpgrade(request, checks.get(access)).then(
        () =>
          handOver(socket, () =>
            listeners.forEach((one) => Reflect.apply(one, server, [request, socket, head])),
          ),
        (error: unknown) => refuse(socket, error),
      );
    });
  }
}

/** The paths whose connections are upgraded; `undefined` if something else than the gateways upgrades them, which has no list. */
function upgradedPaths(app: INestApplication, server: Server): readonly string[] | undefined {
  const listeners = server.listenerCount('upgrade');
  if (listeners === 0) return [];
  const providers = app.get(DiscoveryService, { strict: false }).getProviders();
  const gateways = providers.flatMap(({ metatype }) => gatewayPath(metatype) ?? []);
  // The adapter has one for all gateways.
  return gateways.length > 0 && listeners === 1 ? gateways : undefined;
}

function gatewayPath(type: unknown): string | undefined {
  if (typeof type !== 'function' || Reflect.getMetadata('websockets:is_gateway', type) !== true)
    return undefined;
  const { path = '' }: { path?: string } = Reflect.getMetadata('websockets:gateway_options', type) ?? {};
  return `/${path.replaceAll(/^\/|\/$/g, '')}`;
}

/** For what the plan does not name: any caller. One object, since checks are kept by it. */
const closed: ModuleRouteAccess = {};

const anything = { kind: 'anything', isStreamOfEvents: false, options: undefined } as const;

/** The caller is in `request.user`, as of other requests. */
async function authorizeUpgrade(request: IncomingMessage, check: Check | undefined): Promise<void> {
  const { method = 'GET', headers, socket } = request;
  const guarded = { method, headers, raw: request, ip: socket.remoteAddress ?? '', user: undefined };
  await check?.(guarded);
  Object.assign(request, { user: guarded.user });
}

/** Unless it was closed while its caller was checked. */
function handOver(socket: Duplex, upgrade: () => void): void {
  if (socket.destroyed) return;
  upgrade();
  socket.off('error', ignore);
}

function refuse(socket: Duplex, error: unknown): void {
  const status = error instanceof HttpError ? error.reply.status : 500;
  socket.once('finish', () => socket.destroy());
  socket.end(
    `HTTP/1.1 ${status} ${status === 401 ? 'Unauthorized' : 'Refused'}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
  );
}

function ignore(): void {}

function covers(declared: string, path: string): boolean {
  if (!declared.endsWith('/*')) return declared === path;
  const base = declared.slice(0, -2);
  return path === base || path.startsWith(`${base}/`);
}
