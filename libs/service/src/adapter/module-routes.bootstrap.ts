import type { Server } from 'node:http';
import { AuthGuard } from '@app/auth';
import type { INestApplication } from '@nestjs/common';
import { ApplicationConfig } from '@nestjs/core';
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import { OpenRouteError } from '../http/plugins';
import type { RateLimits } from '../rate-limit/rate-limits.service';
import { aroundRegistration } from '../routes/nest.discovery.internals';
import { decoratedRoute, type ModuleRouteAccess, type ModuleRoutes } from './module-route.decorator';
import { Upgrades } from './upgrades.bootstrap';

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
  private readonly checks = new Map<ModuleRouteAccess, Check | undefined>();
  readonly upgrades = new Upgrades({
    names: (path) => Object.keys(this.declared).some((declared) => covers(declared, path)),
    authorize: (path, request) => this.authorizeUpgrade(path, request),
  });

  constructor(private readonly declared: ModuleRoutes) {}

  /** Sees the routes of a server; to be called before there are any. */
  watch(server: FastifyInstance): void {
    server.addHook('onRoute', (route) => this.close(route));
  }

  /** Tells Nest's own registration of controllers from that of others; to be called before `init`. */
  trust(app: INestApplication): void {
    aroundRegistration(app, (register) => {
      this.isNestRegistering = true;
      try {
        return register();
      } finally {
        this.isNestRegistering = false;
      }
    });
  }

  /** Registers the routes of upgrades; to be called after the hooks of the program, and before `init`. */
  register(app: INestApplication, server: FastifyInstance, limits: RateLimits): void {
    this.upgrades.register(app, server, limits, Object.keys(this.declared).length > 0);
  }

  /** Takes the listeners of `request` that a server has for the program's own. */
  noteHandlers(server: Server): void {
    this.handlers = server.listeners('request');
  }

  /** @throws TypeError if a module has put its own in their place: that has a request before its caller is checked */
  checkHandlers(server: Server): void {
    for (const event of ['connect', 'checkContinue'])
      if (server.listenerCount(event) > 0)
        throw new TypeError(
          `A module handles ${event} events of the HTTP server itself, where no guard checks its callers. Register a route in its place.`,
        );
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
    this.guard = app
      .get(ApplicationConfig, { strict: false })
      .getGlobalGuards()
      .find((one) => one instanceof AuthGuard);
    for (const one of this.registered) one.check = this.checkOf(one.path, one.route);
    for (const path of this.upgrades.paths) this.checkOf(path, `UPGRADE ${path}`);
    this.upgrades.seal(server);
    const served = [...this.registered.map((route) => route.path), ...this.upgrades.paths];
    for (const path of Object.keys(this.declared)) {
      // Which paths another listener for upgrades serves is not known.
      if (!this.upgrades.hasOtherListeners && !served.some((one) => covers(path, one)))
        throw new TypeError(
          `moduleRoutes has '${path}', and no module registers such a route. Correct the path, or remove it.`,
        );
    }
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

  private async authorizeUpgrade(path: string, request: FastifyRequest): Promise<void> {
    const access = this.accessOf(path);
    if (!this.checks.has(access)) this.checks.set(access, this.checkOf(path, `UPGRADE ${path}`));
    await this.checks.get(access)?.(request);
  }
}

/** For what the plan does not name: any caller. One object, since checks are kept by it. */
const closed: ModuleRouteAccess = {};

const anything = { kind: 'anything', isStreamOfEvents: false, options: undefined } as const;

function covers(declared: string, path: string): boolean {
  if (!declared.endsWith('/*')) return declared === path;
  const base = declared.slice(0, -2);
  return path === base || path.startsWith(`${base}/`);
}
