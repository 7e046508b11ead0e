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

/** A path that a module or a plugin serves, instead of a controller. */
interface Registered {
  readonly route: string;
  readonly path: string;
  check?: Check;
}

/**
 * Guards the routes and upgraded connections that modules and plugins register beside the controllers, such as WebSocket
 * gateways. Each requires a caller unless the program's plan says otherwise.
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

  /** Watches the routes that a server registers. Call it before the first route is added. */
  watch(server: FastifyInstance): void {
    server.addHook('onRoute', (route) => this.close(route));
  }

  /** Distinguishes the controllers that Nest registers from routes that modules and plugins register. Call it before `init`. */
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

  /** Registers the upgrade routes. Call it after the program's hooks are added and before `init`. */
  register(app: INestApplication, server: FastifyInstance, limits: RateLimits): void {
    this.upgrades.register(app, server, limits, Object.keys(this.declared).length > 0);
  }

  /** Records the server's current `request` listeners as the program's own. */
  noteHandlers(server: Server): void {
    this.handlers = server.listeners('request');
  }

  /** @throws TypeError if a module replaced the `request` listeners, since it would get requests before a caller is checked */
  checkHandlers(server: Server): void {
    for (const event of ['connect', 'checkContinue'])
      if (server.listenerCount(event) > 0)
        throw new TypeError(
          `A module handles ${event} events of the HTTP server itself, where no guard checks its callers. Register a route in its place.`,
        );
    const handlers = new Set<Function>(server.listeners('request'));
    if (this.handlers.every((handler) => handlers.has(handler))) return;
    throw new TypeError(
      'A module handles requests of the HTTP server itself, as Socket.IO does for HTTP polling, where no guard checks its callers. ' +
        'Register a route in its place, or an adapter that handles upgrades alone, such as WsAdapter of @nestjs/platform-ws.',
    );
  }

  /**
   * Reads who may call each route, and guards connection upgrades. Call it after all routes are registered.
   *
   * @throws OpenRouteError if a route or an upgrade requires a caller, and the program lacks a guard
   * @throws TypeError for a plan entry without a matching route, or for a request handler that bypasses the guard
   */
  seal(app: INestApplication, server: Server): void {
    this.checkHandlers(server);
    this.guard = app
      .get(ApplicationConfig, { strict: false })
      .getGlobalGuards()
      .find((guard) => guard instanceof AuthGuard);
    for (const entry of this.registered) entry.check = this.checkOf(entry.path, entry.route);
    for (const path of this.upgrades.paths) this.checkOf(path, `UPGRADE ${path}`);
    this.upgrades.seal(server);
    const served = [...this.registered.map((route) => route.path), ...this.upgrades.paths];
    for (const path of Object.keys(this.declared)) {
      // It is unknown which paths a foreign upgrade listener serves.
      if (!this.upgrades.hasOtherListeners && !served.some((servedPath) => covers(path, servedPath)))
        throw new TypeError(
          `moduleRoutes has '${path}', and no module registers such a route. Correct the path, or remove it.`,
        );
    }
  }

  private close(route: RouteOptions): void {
    const { method, url: path, config } = route;
    // A preflight has no credentials.
    if (this.isNestRegistering || config?.isOfController === true || method === 'OPTIONS') return;
    // The module decides which responses it sends, because no class declares them.
    route.config = { ...config, response: anything };
    if (config?.isPublic === true) return;
    const registered: Registered = { route: `${[method].flat().join()} ${path}`, path };
    this.registered.push(registered);
    route.onRequest = [
      async (request) => void (await registered.check?.(request)),
      ...[route.onRequest ?? []].flat(),
    ];
  }

  /** Returns the guard's check for a path, or `undefined` for a public path. */
  private checkOf(path: string, route: string): Check | undefined {
    const access = this.accessOf(path);
    if (access === 'public') return undefined;
    if (this.guard === undefined) throw new OpenRouteError(route);
    const { handler, controller } = decoratedRoute(access);
    return this.guard.checkOf(handler, controller);
  }

  /** Returns the access rule of the longest matching path in the plan. By default, a caller is required. */
  private accessOf(path: string): ModuleRouteAccess {
    const [longest] = Object.entries(this.declared)
      .filter(([declared]) => covers(declared, path))
      .toSorted(([left], [right]) => right.length - left.length);
    return longest?.[1] ?? closed;
  }

  private async authorizeUpgrade(path: string, request: FastifyRequest): Promise<void> {
    const access = this.accessOf(path);
    if (!this.checks.has(access)) this.checks.set(access, this.checkOf(path, `UPGRADE ${path}`));
    await this.checks.get(access)?.(request);
  }
}

/** The access rule for paths that the plan does not name: any caller. It is a single object because checks are cached by rule. */
const closed: ModuleRouteAccess = {};

const anything = { kind: 'anything', isStreamOfEvents: false, options: undefined } as const;

function covers(declared: string, path: string): boolean {
  if (!declared.endsWith('/*')) return declared === path;
  const base = declared.slice(0, -2);
  return path === base || path.startsWith(`${base}/`);
}
