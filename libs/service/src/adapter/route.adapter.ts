import { finished, Readable } from 'node:stream';
import { AuthGuard } from '@app/auth';
import { declaredResponse, parametersOf } from '@app/contract';
import { type INestApplication, StreamableFile } from '@nestjs/common';
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
import { requestMaskOf } from './mask-request.discovery';
import type { ProgramInterceptors } from './program-interceptors.service';
import { kindOf, type RouteKind } from './route-kind.discovery';
import { admitSigned, signatureSchemeOf } from '../signatures/signed-by.decorator';

type ErrorHandler = Parameters<FastifyAdapter['setErrorHandler']>[0];

/** The arguments with which Nest registers a route: a path and its handler. */
type Registered = [path: string, handler: RouteHandler];

/** The steps that compiled and foreign routes share, and the parts from which routes are compiled. */
export interface RouteContext {
  readonly limits: RateLimits;
  /** The routes that receive files, if a plugin provides them. */
  readonly uploads: FileRoutes | undefined;
  readonly interceptors: ProgramInterceptors;
  /** Whether routes are compiled. If it is `false`, Nest handles all routes. */
  readonly isCompiling: boolean;
}

interface ProgramContext extends RouteContext {
  readonly config: ApplicationConfig;
  readonly methods: ReadonlyMap<string, ControllerMethod>;
}

/** The server options in addition to Fastify's. */
export interface RouteAdapterOptions {
  readonly trustProxy: TrustedProxies;
  /** The prefix that the program removes from paths. */
  readonly own: OwnPrefix;
}

/**
 * The Nest adapter for Fastify, with two kinds of route. The pipeline calls a compiled route, which is a single Sluice function.
 * Fastify calls it for requests that bypass the pipeline. A foreign route is Nest's own handler. Both kinds share limits and
 * uploads.
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
    server.setErrorHandler((...args) => Reflect.apply(this.handleError, server, args));
  }

  /** Sets the server's error handler. Nest calls this after Fastify plugins already have their error handler. */
  override setErrorHandler(handler: ErrorHandler): FastifyInstance {
    this.handleError = handler;
    return this.getInstance();
  }

  /** Sends a body. The error handler logs the error of a stream that fails after the head; Fastify logs nothing. */
  override reply(
    ...[response, body, status]: Parameters<FastifyAdapter['reply']>
  ): ReturnType<FastifyAdapter['reply']> {
    const stream: unknown = body instanceof StreamableFile ? body.getStream() : body;
    if (stream instanceof Readable && 'request' in response) {
      const { raw, request } = response;
      finished(stream, { readable: true, writable: false }, (error) => {
        // A caller that leaves ends the stream, too.
        if (error && raw.headersSent && !raw.destroyed)
          void this.handleError.call(this.getInstance(), error, request, response);
      });
    }
    return super.reply(response, body, status);
  }

  /** Adds the hook that runs middleware. */
  override async init(): Promise<void> {
    await this.hooks.ignore(() => super.init());
    this.hooks.watchMiddleware(this.getInstance());
  }

  override setOnRequestHook(...args: Parameters<FastifyAdapter['setOnRequestHook']>): void {
    this.hooks.foreign ??= 'the program has a hook before requests';
    super.setOnRequestHook(...args);
  }

  override setOnResponseHook(...args: Parameters<FastifyAdapter['setOnResponseHook']>): void {
    this.hooks.foreign ??= 'the program has a hook after responses';
    super.setOnResponseHook(...args);
  }

  override enableCors(...args: Parameters<FastifyAdapter['enableCors']>): void {
    this.hooks.foreign ??= 'the program calls enableCors()';
    super.enableCors(...args);
  }

  override registerSecurityHook(...args: Parameters<FastifyAdapter['registerSecurityHook']>): void {
    this.hooks.foreign ??= 'the program has a security hook';
    super.registerSecurityHook(...args);
  }

  /** Runs a function and treats the hooks that it adds as the program's own. Each hook must call `done` before it returns. */
  readonly addOwnHooks = (meanwhile: () => void): void => this.hooks.own(meanwhile);

  /** Decides how each route is served, and prepares the routes' steps. Call it before `init`. */
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
   * @param method the HTTP method, such as `GET`
   * @param handler the handler as Nest names it, such as `UsersController.read`
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
    const admit = masking(this.admissionOf(name, original, handled, this.context), handled);
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

  /** Registers a route that accepts files. Returns `undefined` for every other route. */
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
    const mask = requestMaskOf(handled);
    uploads.add(server, handler, {
      method,
      path,
      rule,
      takesFields: parametersOf(handled.controller, handled.name).some(({ from }) => from === 'body'),
      authorize: authorizationOf(handled, config),
      admit: limits.admissionOf(methodOf(handled), handled.controller, `${method} ${path}`),
      handler: mask ? (request, reply) => (mask(request), handler(request, reply)) : handler,
    });
    return server;
  }

  /** Returns the function that counts a route's requests. Without a known handler, only the settings' limit applies. */
  private admissionOf(
    name: string,
    handler: RouteHandler,
    handled: ControllerMethod | undefined,
    { limits }: ProgramContext,
  ): Admission | undefined {
    if (handled === undefined) return limits.admissionOf(handler, handler, name);
    const limited = limits.admissionOf(methodOf(handled), handled.controller, name);
    const isSigned = signatureSchemeOf(methodOf(handled)) !== undefined;
    const admit = isSigned ? admitSigned(limited) : limited;
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

/** Adds the step that hides members from the pipe to a route's admission. */
function masking(admit: Admission | undefined, handled: ControllerMethod | undefined): Admission | undefined {
  const mask = handled && requestMaskOf(handled);
  if (mask === undefined) return admit;
  return (request, reply) => {
    admit?.(request, reply);
    mask(request);
  };
}

/** Returns whether a route may send a file or an unlimited stream. The API reference is excluded because it stays in memory. */
function sendsFiles({ controller, name }: ControllerMethod): boolean {
  return controller !== DocsController && declaredResponse(controller, name).kind === 'bytes';
}

/** Returns the check of Sluice's guard. Guards that are bound to the route have no effect on it. */
function authorizationOf(handled: ControllerMethod | undefined, config: ApplicationConfig) {
  const guard = config.getGlobalGuards().find((candidate) => candidate instanceof AuthGuard);
  return handled && guard?.checkOf(methodOf(handled), handled.controller);
}

function isRegistered(route: unknown[]): route is Registered {
  return route.length === 2 && typeof route[0] === 'string' && typeof route[1] === 'function';
}

/** Copies the metadata of Nest's handler, which holds the route options, and its name, by which the route is found. */
function withMetadataOf(original: RouteHandler, handler: RouteHandler): RouteHandler {
  for (const key of Reflect.getMetadataKeys(original))
    Reflect.defineMetadata(key, Reflect.getMetadata(key, original), handler);
  return Object.defineProperty(handler, 'name', { configurable: true, value: original.name });
}
