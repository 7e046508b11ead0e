import { AuthGuard } from '@app/auth';
import type { INestApplication } from '@nestjs/common';
import { ApplicationConfig, ExternalContextCreator, ModulesContainer } from '@nestjs/core';
import { RouterExecutionContext } from '@nestjs/core/router/router-execution-context.js';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { declaredResponse, parametersOf } from '@app/contract';
import type { FastifyInstance, FastifyReply, FastifyServerOptions } from 'fastify';
import { compileRoute, type RouteHandler, type Sender } from '../routes/compile-route';
import { DirectRoutes } from './direct-routes';
import type { OwnPrefix } from '../http/own-prefix';
import type { ProgramInterceptors } from './program-interceptors.service';
import { DocsController } from '../reference/docs.controller';
import { OpenResponses } from '../rate-limit/open-responses';
import type { Admission, RateLimits } from '../rate-limit/rate-limits';
import { controllerMethods, type ControllerMethod } from '../routes/controller-methods.discovery';
import { knownRoute } from './known-route.discovery';
import { limitedRoute } from './limited-route';
import { uploadRuleOf } from '../upload/upload.decorator';
import type { UploadRoutes } from '../upload/upload-routes.adapter';
import { type KnownParts, knownParts } from './route-parts.discovery';

type ErrorHandler = Parameters<FastifyAdapter['setErrorHandler']>[0];

/** What Nest registers: a path and its handler. */
type Registered = [path: string, handler: RouteHandler];

/** What routes are compiled from. */
interface CompileContext {
  readonly config: ApplicationConfig;
  readonly limits: RateLimits;
  readonly uploads: UploadRoutes;
  readonly interceptors: ProgramInterceptors;
  readonly isCompiling: boolean;
  readonly methods: ReadonlyMap<string, ControllerMethod>;
}

/** What of a program its routes are registered with. */
export interface RouteContext {
  readonly limits: RateLimits;
  readonly uploads: UploadRoutes;
  readonly interceptors: ProgramInterceptors;
  /** Whether routes are compiled; otherwise all are left to Nest. */
  readonly isCompiling: boolean;
}

/**
 * Nest's adapter for Fastify. A route is compiled to one function if its guard, pipe and filter are ours and nothing else
 * is bound to it. Every other route is left to Nest: one other guard, pipe, interceptor or filter, added anywhere, is enough.
 */
export class RouteAdapter extends FastifyAdapter {
  private readonly files = new OpenResponses();
  private context: CompileContext | undefined;
  /** The routes that are compiled, such as `GET /users/:id`. */
  readonly compiledRoutes = new Set<string>();
  private readonly direct: DirectRoutes;
  private handleError: ErrorHandler = (error) => {
    throw error;
  };

  /** @param own that the program removes from paths */
  constructor(options: FastifyServerOptions, own: OwnPrefix) {
    const direct = new DirectRoutes(options.routerOptions?.maxParamLength, own);
    const { buildPrettyMeta } = direct;
    super({ ...options, routerOptions: Object.assign({ ...options.routerOptions }, { buildPrettyMeta }) });
    this.direct = direct;
    direct.watch(this.getInstance());
    const server = this.getInstance<FastifyInstance>();
    server.setErrorHandler((...given) => Reflect.apply(this.handleError, server, given));
  }

  /** Nest sets it after modules are initialized, and Fastify gives a plugin the one that is set when the plugin is loaded. */
  override setErrorHandler(handler: ErrorHandler): FastifyInstance {
    this.handleError = handler;
    return this.getInstance();
  }

  /** Adds the hook that runs middleware. */
  override async init(): Promise<void> {
    await this.direct.ignoreHooks(this.getInstance(), () => super.init());
  }

  override setOnRequestHook(...given: Parameters<FastifyAdapter['setOnRequestHook']>): void {
    this.direct.close();
    super.setOnRequestHook(...given);
  }

  override setOnResponseHook(...given: Parameters<FastifyAdapter['setOnResponseHook']>): void {
    this.direct.close();
    super.setOnResponseHook(...given);
  }

  override enableCors(...given: Parameters<FastifyAdapter['enableCors']>): void {
    this.direct.close();
    super.enableCors(...given);
  }

  override registerSecurityHook(...given: Parameters<FastifyAdapter['registerSecurityHook']>): void {
    this.direct.close();
    super.registerSecurityHook(...given);
  }

  /** Direct requests have the hooks that are added meanwhile, too: ones that call `done` before they return, and respond to nothing but `OPTIONS`. */
  addDirectHooks(meanwhile: () => void): void {
    this.direct.callHooks(this.getInstance(), meanwhile);
  }

  /** Handles requests to compiled routes before Fastify does, where nothing else belongs to them. */
  handleDirectly(): void {
    this.direct.listen(this.getInstance<FastifyInstance>().server);
  }

  /** To be called when all routes are registered. */
  openDirectRoutes(): void {
    this.direct.open(this.getInstance());
  }

  /** The routes that are handled directly, such as `GET /users/:id`. */
  get directRoutes(): ReadonlySet<string> {
    return this.direct.names;
  }

  /** Adds rate limits and uploads to the routes of a program, and compiles them; to be called before `init`. */
  prepareRoutesOf(app: INestApplication, program: RouteContext): void {
    const config: unknown = Reflect.get(app, 'config');
    const methods = controllerMethods(app.get(ModulesContainer));
    if (!(config instanceof ApplicationConfig)) return;
    this.context = { ...program, config, methods };
    const contexts = app.get(ExternalContextCreator, { strict: false });
    program.interceptors.prepare({ adapter: this, contexts, methods });
  }

  override get(...route: unknown[]) {
    return super.get(...this.compiled('GET', route));
  }

  override post(...route: unknown[]) {
    return this.upload('POST', route) ?? super.post(...this.compiled('POST', route));
  }

  override put(...route: unknown[]) {
    return this.upload('PUT', route) ?? super.put(...this.compiled('PUT', route));
  }

  override patch(...route: unknown[]) {
    return this.upload('PATCH', route) ?? super.patch(...this.compiled('PATCH', route));
  }

  override delete(...route: unknown[]) {
    return super.delete(...this.compiled('DELETE', route));
  }

  private compiled(method: string, route: unknown[]): unknown[] {
    if (!isRegistered(route) || this.context === undefined) return route;
    const [path, handler] = route;
    const { context } = this;
    const known = context.methods.get(handler.name);
    const limit = admissionOf(known, handler, `${method} ${path}`, context.limits);
    const admit = known && sendsFiles(known) ? this.files.admissionAfter(limit) : limit;
    const compiled = known && this.compile(method, path, handler, known, context, admit);
    if (compiled) this.direct.candidates.add(`${method} ${path}`);
    const result =
      compiled ?? (admit && limitedRoute(handler, authorizationOf(known, context.config), admit));
    return result ? [path, withMetadataOf(handler, result)] : route;
  }

  /** Registers a route that accepts files; `undefined` for every other one. */
  private upload(method: string, route: unknown[]): FastifyInstance | undefined {
    if (!isRegistered(route) || this.context === undefined) return undefined;
    const [path, handler] = route;
    const { context } = this;
    const known = context.methods.get(handler.name);
    if (known === undefined) return undefined;
    const rule = uploadRuleOf(methodOf(known));
    if (rule === undefined) return undefined;
    const server = this.getInstance<FastifyInstance>();
    context.uploads.add(server, handler, {
      method,
      path,
      rule,
      takesFields: parametersOf(known.controller, known.name).some(({ from }) => from === 'body'),
      authorize: authorizationOf(known, context.config),
      admit: admissionOf(known, handler, `${method} ${path}`, context.limits),
      handler: this.compile(method, path, handler, known, context, undefined) ?? handler,
    });
    return server;
  }

  private compile(
    method: string,
    path: string,
    handler: RouteHandler,
    known: ControllerMethod,
    { config, isCompiling, interceptors }: CompileContext,
    admit: Admission | undefined,
  ): RouteHandler | undefined {
    const parts = knownParts(config);
    const isWatched = this.getOnRouteTriggered?.() !== undefined || 'version' in handler;
    if (!isCompiling || !known.isStatic || !parts || isWatched) return undefined;
    const compiled = this.tryToCompile(method, known, parts, admit, interceptors);
    if (compiled) this.compiledRoutes.add(`${method} ${path}`);
    return compiled;
  }

  /** A route whose decorators contradict each other is reported by the contract check, later in the start. */
  private tryToCompile(
    method: string,
    known: ControllerMethod,
    parts: KnownParts,
    admit: Admission | undefined,
    interceptors: ProgramInterceptors,
  ): RouteHandler | undefined {
    try {
      const interceptor = interceptors.of(`${known.controller.name}.${known.name}`);
      const route = knownRoute(method, known, parts, this.senderOf(known), admit, interceptor);
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

/** Of a handler whose method is not known, only the limit of the settings. */
function admissionOf(
  known: ControllerMethod | undefined,
  handler: RouteHandler,
  route: string,
  limits: RateLimits,
): Admission | undefined {
  if (known === undefined) return limits.admissionOf(handler, handler, route);
  return limits.admissionOf(methodOf(known), known.controller, route);
}

/** Whether the response of a route may be a file, or another stream of any length. Those of the API reference are in memory once. */
function sendsFiles({ controller, name }: ControllerMethod): boolean {
  return controller !== DocsController && declaredResponse(controller, name).kind === 'bytes';
}

/** The check of our guard, whatever else is bound to the route. */
function authorizationOf(known: ControllerMethod | undefined, config: ApplicationConfig) {
  const guard = config.getGlobalGuards().find((one) => one instanceof AuthGuard);
  return known && guard?.checkOf(methodOf(known), known.controller);
}

/** The method as its class declares it, to which decorators refer. */
function methodOf({ controller, name }: ControllerMethod) {
  return Reflect.get(controller.prototype, name);
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
