import type { INestApplication } from '@nestjs/common';
import { ApplicationConfig, ModulesContainer } from '@nestjs/core';
import { RouterExecutionContext } from '@nestjs/core/router/router-execution-context.js';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyReply } from 'fastify';
import { compileRoute, type RouteHandler, type Sender } from './compile-route';
import { controllerMethods, type ControllerMethod } from './controller-methods';
import { type KnownParts, knownParts } from './route-parts';

/** What Nest registers: a path, and what answers there. */
type Registered = [path: string, handler: RouteHandler];

/** What routes are compiled from. */
interface Workshop {
  readonly config: ApplicationConfig;
  readonly modules: ModulesContainer;
  methods?: ReadonlyMap<string, ControllerMethod>;
}

/**
 * Nest's adapter for Fastify, which answers a route by one function of its own when all that stands around the handler
 * is known to be ours. Every other route is Nest's, unchanged: one guard, pipe, interceptor or filter of somebody else,
 * wherever it is added, is enough.
 */
export class RouteAdapter extends FastifyAdapter {
  private workshop: Workshop | undefined;
  /** The routes that are compiled, such as `GET /users/:id`. */
  readonly compiledRoutes = new Set<string>();

  /** Compiles the routes of a program; to be called before it is initialised. Without it they are all Nest's. */
  compileRoutesOf(app: INestApplication): void {
    const config: unknown = Reflect.get(app, 'config');
    if (config instanceof ApplicationConfig) this.workshop = { config, modules: app.get(ModulesContainer) };
  }

  override get(...route: unknown[]) {
    return super.get(...this.compiled('GET', route));
  }

  override post(...route: unknown[]) {
    return super.post(...this.compiled('POST', route));
  }

  override put(...route: unknown[]) {
    return super.put(...this.compiled('PUT', route));
  }

  override patch(...route: unknown[]) {
    return super.patch(...this.compiled('PATCH', route));
  }

  override delete(...route: unknown[]) {
    return super.delete(...this.compiled('DELETE', route));
  }

  private compiled(method: string, route: unknown[]): unknown[] {
    if (!isRegistered(route) || this.workshop === undefined) return route;
    const [path, handler] = route;
    const compiled = this.compile(method, handler, this.workshop);
    if (compiled === undefined) return route;
    this.compiledRoutes.add(`${method} ${path}`);
    return [path, dressedAs(handler, compiled)];
  }

  private compile(method: string, handler: RouteHandler, workshop: Workshop): RouteHandler | undefined {
    const parts = knownParts(workshop.config);
    const isWatched = this.getOnRouteTriggered?.() !== undefined || 'version' in handler;
    workshop.methods ??= controllerMethods(workshop.modules);
    const known = workshop.methods.get(handler.name);
    return known && parts && !isWatched ? this.tryToCompile(method, known, parts) : undefined;
  }

  /** A route whose decorators contradict each other is told of by others, later in the start. */
  private tryToCompile(method: string, known: ControllerMethod, parts: KnownParts): RouteHandler | undefined {
    try {
      return compileRoute(method, known, parts, this.senderOf(known));
    } catch {
      return undefined;
    }
  }

  private senderOf({ instance, name }: ControllerMethod): Sender {
    const nothing = Array.from({ length: 7 });
    const router: RouterExecutionContext = Reflect.construct(RouterExecutionContext, [...nothing, this]);
    const respond: Function = router.createHandleResponseFn(Reflect.get(instance, name), false);
    return {
      send: (reply: FastifyReply, body) => void this.reply(reply, body),
      stream: async (body, reply, request) => Reflect.apply(respond, undefined, [body, reply, request]),
    };
  }
}

function isRegistered(route: unknown[]): route is Registered {
  return route.length === 2 && typeof route[0] === 'string' && typeof route[1] === 'function';
}

/** Fastify's options for a route, and ours, hang on Nest's handler as metadata; its name tells whose route it is. */
function dressedAs(original: RouteHandler, compiled: RouteHandler): RouteHandler {
  for (const key of Reflect.getMetadataKeys(original))
    Reflect.defineMetadata(key, Reflect.getMetadata(key, original), compiled);
  return Object.defineProperty(compiled, 'name', { configurable: true, value: original.name });
}
