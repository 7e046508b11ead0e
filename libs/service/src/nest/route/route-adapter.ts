import type { INestApplication } from '@nestjs/common';
import { ApplicationConfig, ModulesContainer } from '@nestjs/core';
import { RouterExecutionContext } from '@nestjs/core/router/router-execution-context.js';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyReply } from 'fastify';
import { compileRoute, type RouteHandler, type Sender } from '../../route/compile-route';
import { controllerMethods, type ControllerMethod } from './controller-methods';
import { knownRoute } from './known-route';
import { type KnownParts, knownParts } from './route-parts';

/** What Nest registers: a path and its handler. */
type Registered = [path: string, handler: RouteHandler];

/** What routes are compiled from. */
interface CompileContext {
  readonly config: ApplicationConfig;
  readonly modules: ModulesContainer;
  methods?: ReadonlyMap<string, ControllerMethod>;
}

/**
 * Nest's adapter for Fastify. A route is compiled to one function if its guard, pipe and filter are ours and nothing else
 * is bound to it. Every other route is left to Nest: one other guard, pipe, interceptor or filter, added anywhere, is enough.
 */
export class RouteAdapter extends FastifyAdapter {
  private context: CompileContext | undefined;
  /** The routes that are compiled, such as `GET /users/:id`. */
  readonly compiledRoutes = new Set<string>();

  /** Compiles the routes of a program; to be called before `init`. Otherwise all routes are left to Nest. */
  compileRoutesOf(app: INestApplication): void {
    const config: unknown = Reflect.get(app, 'config');
    if (config instanceof ApplicationConfig) this.context = { config, modules: app.get(ModulesContainer) };
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
    if (!isRegistered(route) || this.context === undefined) return route;
    const [path, handler] = route;
    const compiled = this.compile(method, handler, this.context);
    if (compiled === undefined) return route;
    this.compiledRoutes.add(`${method} ${path}`);
    return [path, withMetadataOf(handler, compiled)];
  }

  private compile(method: string, handler: RouteHandler, context: CompileContext): RouteHandler | undefined {
    const parts = knownParts(context.config);
    const isWatched = this.getOnRouteTriggered?.() !== undefined || 'version' in handler;
    context.methods ??= controllerMethods(context.modules);
    const known = context.methods.get(handler.name);
    return known && parts && !isWatched ? this.tryToCompile(method, known, parts) : undefined;
  }

  /** A route whose decorators contradict each other is reported by the contract check, later in the start. */
  private tryToCompile(method: string, known: ControllerMethod, parts: KnownParts): RouteHandler | undefined {
    try {
      const route = knownRoute(method, known, parts, this.senderOf(known));
      return route && compileRoute(route);
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

/** Copies the metadata of Nest's handler, which has the options of the route, and its name, by which the route is found. */
function withMetadataOf(original: RouteHandler, compiled: RouteHandler): RouteHandler {
  for (const key of Reflect.getMetadataKeys(original))
    Reflect.defineMetadata(key, Reflect.getMetadata(key, original), compiled);
  return Object.defineProperty(compiled, 'name', { configurable: true, value: original.name });
}
