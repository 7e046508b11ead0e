import { AuthGuard } from '@app/auth';
import { declaredResponse, parametersOf } from '@app/contract';
import type { INestApplication } from '@nestjs/common';
import { ApplicationConfig, ExternalContextCreator, ModulesContainer } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifyServerOptions } from 'fastify';
import type { TrustedProxies } from '../http/trusted-proxies';
import type { OwnPrefix } from '../http/own-prefix';
import { CompiledRoutes } from '../pipeline/compiled-routes';
import { ServerHooks } from '../pipeline/server-hooks';
import { OpenResponses } from '../rate-limit/open-responses';
import type { Admission } from '../rate-limit/admission';
import type { RateLimits } from '../rate-limit/rate-limits.service';
import { DocsController } from '../reference/docs.controller';
import { compileRoute, type RouteHandler, type Sender } from '../routes/compile-route';
import { type FileRoutes, uploadRuleOf } from '../routes/file-routes';
import { type ControllerMethod, controllerMethods, methodOf } from '../routes/controller-methods.discovery';
import { responderOf } from '../routes/nest.discovery.internals';
import { limitedRoute } from './limited-route';
import type { ProgramInterceptors } from './program-interceptors.service';
import { kindOf, type RouteKind } from './route-kind.discovery';

type ErrorHandler = Parameters<FastifyAdapter['setErrorHandler']>[0];

/** What Nest registers: a path and its handler. */
type Registered = [path: string, handler: RouteHandler];

/** The steps that routes of both kinds share, and what the routes are compiled from. */
export interface RouteContext {
  readonly limits: RateLimits;
  /** What receives files, if a plugin of the program does. */
  readonly uploads: FileRoutes | undefined;
  readonly interceptors: ProgramInterceptors;
  /** Whether routes are compiled; otherwise all are left to Nest. */
  readonly isCompiling: boolean;
}

interface ProgramContext extends RouteContext {
  readonly config: ApplicationConfig;
  readonly methods: ReadonlyMap<string, ControllerMethod>;
}

/** Options of the server beside those of Fastify. */
export interface RouteAdapterOptions {
  readonly trustProxy: TrustedProxies;
  /** The prefix that the program removes from paths. */
  readonly own: OwnPrefix;
}

/**
 * Nest's adapter for Fastify, with two kinds of route. A compiled route is one function of ours, which the pipeline calls; Fastify calls
 * it for requests that the pipeline does not take. A foreign route is Nest's own handler. Limits and uploads are the same for both.
 */
export class RouteAdapter extends FastifyAdapter {
  private readonly files = new OpenResponses();
  private readonly hooks = new ServerHooks();
  private context: ProgramContext | undefined;
  /** Finds and serves the requests to compiled routes. */
  readonly compiled: CompiledRoutes;
  private handleError: ErrorHandler = (error) => {
    throw error;
  };

  constructor(fastify: FastifyServerOptions, { trustProxy, own }: RouteAdapterOptions) {
    super({ ...fastify, trustProxy: trustProxy && [...trustProxy] });
    const server = this.getInstance<FastifyInstance>();
    const maxParamLength = fastify.routerOptions?.maxParamLength;
    this.compiled = new CompiledRoutes(this.hooks, { maxParamLength, trustProxy, own });
    this.hooks.watch(server);
    this.compiled.watch(server);
    server.setErrorHandler((...given) => Reflect.apply(this.handleError, server, given));
  }

  /** Nest sets it after modules are initialized, and Fastify gives a plugin the one that is set when the plugin is loaded. */
  override setErrorHandler(handler: ErrorHandler): FastifyInstance {
    this.handleError = handler;
    return this.getInstance();
  }

  /** Adds the hook that runs middleware. */
  override async init(): Promise<void> {
    await this.hooks.ignore(() => super.init());
    this.hooks.watchMiddleware(this.getInstance());
  }

  override setOnRequestHook(...given: Parameters<FastifyAdapter['setOnRequestHook']>): void {
    this.hooks.foreign ??= 'the program has a hook before requests';
    super.setOnRequestHook(...given);
  }

  override setOnResponseHook(...given: Parameters<FastifyAdapter['setOnResponseHook']>): void {
    this.hooks.foreign ??= 'the program has a hook after responses';
    super.setOnResponseHook(...given);
  }

  override enableCors(...given: Parameters<FastifyAdapter['enableCors']>): void {
    this.hooks.foreign ??= 'the program calls enableCors()';
    super.enableCors(...given);
  }

  override registerSecurityHook(...given: Parameters<FastifyAdapter['registerSecurityHook']>): void {
    this.hooks.foreign ??= 'the program has a security hook';
    super.registerSecurityHook(...given);
  }

  /** Takes the hooks that are added meanwhile for those of the program: each calls `done` before it returns. */
  readonly addOwnHooks = (meanwhile: () => void): void => this.hooks.own(meanwhile);

  /** Decides how each route is served, and has the steps of the routes ready; to be called before `init`. */
  prepareRoutesOf(app: INestApplication, program: RouteContext): void {
    const config = app.get(ApplicationConfig, { strict: false });
    const methods = controllerMethods(app.get(ModulesContainer));
    this.context = { ...program, config, methods };
    const contexts = app.get(ExternalContextCreator, { strict: false });
    program.interceptors.prepare({ adapter: this, contexts, methods });
  }

  /**
   * Returns how a route is served, unless a plugin adds hooks to it.
   *
   * @param method  such as `GET`
   * @param handler as Nest names it, such as `UsersController.read`
   */
  kindOf(method: string, handler: string): RouteKind {
    if (this.context === undefined) throw new TypeError('the routes of the program are not prepared');
    const { config, isCompiling, methods } = this.context;
    const isObserved = this.getOnRouteTriggered?.() !== undefined;
    const foreign = !isCompiling || isObserved ? 'Nest handles all routes of the program' : undefined;
    return kindOf(method, methods.get(handler), { config, foreign });
  }

  override get(...route: unknown[]) {
    return super.get(...this.prepare('GET', route));
  }

  override post(...route: unknown[]) {
    return this.upload('POST', route) ?? super.post(...this.prepare('POST', route));
  }

  override put(...route: unknown[]) {
    return this.upload('PUT', route) ?? super.put(...this.prepare('PUT', route));
  }

  override patch(...route: unknown[]) {
    return this.upload('PATCH', route) ?? super.patch(...this.prepare('PATCH', route));
  }

  override delete(...route: unknown[]) {
    return super.delete(...this.prepare('DELETE', route));
  }

  private prepare(method: string, route: unknown[]): unknown[] {
    if (!isRegistered(route) || this.context === undefined) return route;
    const [path, original] = route;
    const name = `${method} ${path}`;
    const handled = this.context.methods.get(original.name);
    const kind = this.kindOf(method, original.name);
    const admit = this.admissionOf(name, original, handled, this.context);
    const authorize = authorizationOf(handled, this.context.config);
    const handler =
      kind.kind === 'compiled' && handled
        ? this.compile(name, kind.parts, handled, admit)
        : admit && limitedRoute(original, authorize, admit);
    return handler ? [path, withMetadataOf(original, handler)] : route;
  }

  private compile(
    name: string,
    parts: Extract<RouteKind, { kind: 'compiled' }>['parts'],
    handled: ControllerMethod,
    admit: Admission | undefined,
  ): RouteHandler {
    const interceptor = this.context?.interceptors.of(`${handled.controller.name}.${handled.name}`);
    const { sendError } = parts;
    this.compiled.add(name, (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
      sendError(this.mapException(error), request, reply),
    );
    return compileRoute({ ...parts, admit, interceptor, sender: this.senderOf(parts.handler) });
  }

  /** Registers a route that accepts files; `undefined` for every other route. */
  private upload(method: string, route: unknown[]): FastifyInstance | undefined {
    if (!isRegistered(route) || this.context === undefined) return undefined;
    const [path, handler] = route;
    const { config, limits, methods, uploads } = this.context;
    const handled = methods.get(handler.name);
    const rule = handled && uploadRuleOf(methodOf(handled));
    if (handled === undefined || rule === undefined) return undefined;
    if (uploads === undefined)
      throw new TypeError(`${handler.name} has @Upload(): list the plugin uploads() in the program`);
    const server = this.getInstance<FastifyInstance>();
    uploads.add(server, handler, {
      method,
      path,
      rule,
      takesFields: parametersOf(handled.controller, handled.name).some(({ from }) => from === 'body'),
      authorize: authorizationOf(handled, config),
      admit: limits.admissionOf(methodOf(handled), handled.controller, `${method} ${path}`),
      handler,
    });
    return server;
  }

  /** Returns what counts the requests of a route; of a handler that is not found, only the limit of the settings. */
  private admissionOf(
    name: string,
    handler: RouteHandler,
    handled: ControllerMethod | undefined,
    { limits }: ProgramContext,
  ): Admission | undefined {
    if (handled === undefined) return limits.admissionOf(handler, handler, name);
    const admit = limits.admissionOf(methodOf(handled), handled.controller, name);
    return sendsFiles(handled) ? this.files.admissionAfter(admit) : admit;
  }

  private senderOf(handler: Function): Sender {
    const respond = responderOf(this, handler);
    return {
      send: (reply: FastifyReply, body) => void this.reply(reply, body),
      stream: (body, reply, request) => respond(body, reply, request),
    };
  }
}

/** Whether the response of a route may be a file, or another stream of any length. Those of the API reference are in memory once. */
function sendsFiles({ controller, name }: ControllerMethod): boolean {
  return controller !== DocsController && declaredResponse(controller, name).kind === 'bytes';
}

/** The check of our guard, whatever else is bound to the route. */
function authorizationOf(handled: ControllerMethod | undefined, config: ApplicationConfig) {
  const guard = config.getGlobalGuards().find((one) => one instanceof AuthGuard);
  return handled && guard?.checkOf(methodOf(handled), handled.controller);
}

function isRegistered(route: unknown[]): route is Registered {
  return route.length === 2 && typeof route[0] === 'string' && typeof route[1] === 'function';
}

/** Copies the metadata of Nest's handler, which has the options of the route, and its name, by which the route is found. */
function withMetadataOf(original: RouteHandler, handler: RouteHandler): RouteHandler {
  for (const key of Reflect.getMetadataKeys(original))
    Reflect.defineMetadata(key, Reflect.getMetadata(key, original), handler);
  return Object.defineProperty(handler, 'name', { configurable: true, value: original.name });
}
