import { tracingChannel } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { compile } from '@fastify/proxy-addr';
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import findMyWay, { type HTTPMethod } from 'find-my-way';
import type { OwnPrefix } from '../http/own-prefix';
import type { TrustedProxies } from '../http/trusted-proxies';
import { hasUsualHead } from './admission';
import type { CompiledRoute } from './compiled-route';
import type { ServerHooks } from './server-hooks';
import { serve, type Target } from './pipeline';

/** The channel on which Fastify publishes the requests that it handles, if the channel has subscribers. */
const handlerChannel = tracingChannel('fastify.request.handler');
/** The constraint by which the router distinguishes connection upgrades from requests for the same path. */
export const upgradeConstraint = 'upgrade';

/** The options that {@link CompiledRoutes} takes from its program. */
export interface CompiledRoutesOptions {
  readonly maxParamLength: number | undefined;
  readonly trustProxy: TrustedProxies;
  /** The prefix that the program removes from paths. */
  readonly own: OwnPrefix;
}

/** Finds a request's route, and serves the request if the route is compiled. */
export class CompiledRoutes {
  private readonly registered: { readonly method: HTTPMethod; readonly route: RouteOptions }[] = [];
  private readonly errorSenders = new Map<string, Function>();
  private readonly router;
  /** The routes without parameters, by method and path. */
  private readonly fixed = new Map<string, Map<string, CompiledRoute>>();
  private isOpen = false;
  /** The compiled routes. The pipeline serves them unless a plugin adds hooks to them. */
  get candidates(): ReadonlySet<string> {
    return new Set(this.errorSenders.keys());
  }

  /** The routes that the pipeline serves, such as `GET /users/:id`. */
  readonly names = new Set<string>();

  constructor(
    private readonly hooks: ServerHooks,
    private readonly options: CompiledRoutesOptions,
  ) {
    this.router = findMyWay({ maxParamLength: options.maxParamLength });
  }

  /** Watches the routes that a server registers. Call it before the first route is added. */
  watch(server: FastifyInstance): void {
    server.addHook('onRoute', (route) => {
      for (const method of [route.method].flat())
        if (isCompilable(method)) this.registered.push({ method, route });
    });
    server.addHook('preClose', (done) => {
      this.isOpen = false;
      done();
    });
  }

  /** Adds a compiled route. The pipeline serves it if only Sluice parts belong to it when the program is ready. */
  add(route: string, sendError: Function): void {
    this.errorSenders.set(route, sendError);
  }

  /** Begins to serve requests. @param server the server with all of its routes */
  open(server: FastifyInstance): void {
    const routed = this.registered.filter(({ route }) => !isConstrainedBy(route, upgradeConstraint));
    if (routed.some(({ route }) => Object.keys(route.constraints ?? {}).length > 0)) return;
    const { trustProxy } = this.options;
    const trusts = trustProxy ? compile([...trustProxy]) : undefined;
    for (const { method, route } of routed) {
      const name = `${method} ${route.url}`;
      const sendError = this.errorSenders.get(name);
      const hooks = sendError && this.hooks.of(route);
      const compiled =
        hooks && compiledRoute(server, route, { hooks, trusts, sendError: callerOf(sendError) });
      this.router.on(method, route.url, () => undefined, compiled);
      if (compiled === undefined) continue;
      this.names.add(name);
      if (isFixed(route.url)) this.fixedOf(method).set(route.url, compiled);
    }
    this.isOpen = this.names.size > 0;
  }

  /** Serves a request with a compiled route and a usual head. @returns whether it did; otherwise Fastify receives the request */
  readonly serve = (request: IncomingMessage, response: ServerResponse): boolean => {
    const { url = '', method = '' } = request;
    // The response to a pipelined request has no socket yet.
    if (!this.isOpen || response.socket === null || handlerChannel.hasSubscribers || !url.startsWith('/'))
      return false;
    const { own } = this.options;
    const path = own.strip(request, url);
    if (own.isOutside(request) || !isCompilable(method)) return false;
    const fixed = this.fixed.get(method)?.get(path);
    if (fixed) return this.take(fixed, request, response, path, { params: new NoParameters(), query: {} });
    const match = this.router.find(method, path);
    const route: CompiledRoute | undefined = match?.store ?? undefined;
    if (!match || !route || Object.values(match.params).includes('')) return false;
    return this.take(route, request, response, path, { params: match.params, query: match.searchParams });
  };

  private take(
    route: CompiledRoute,
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    target: Target,
  ): boolean {
    if (!hasUsualHead(request, route.maxBodyBytes)) return false;
    request.url = path;
    serve(route, request, response, target);
    return true;
  }

  private fixedOf(method: string): Map<string, CompiledRoute> {
    const routes = this.fixed.get(method) ?? new Map<string, CompiledRoute>();
    this.fixed.set(method, routes);
    return routes;
  }
}

const methods: ReadonlySet<string> = new Set<HTTPMethod>(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** Returns whether routes with this method may be compiled. */
function isCompilable(method: string): method is HTTPMethod {
  return methods.has(method);
}

/** Calls the adapter's function, which takes Fastify's types. Sluice's request and reply have the same members. */
function callerOf(sendError: Function): CompiledRoute['sendError'] {
  return (...failed) => Reflect.apply(sendError, undefined, failed);
}

function isConstrainedBy({ constraints }: RouteOptions, name: string): boolean {
  return constraints !== undefined && name in constraints;
}

/** Returns whether a path has only literal parts. It then matches only itself and takes precedence over paths with parameters. */
function isFixed(path: string): boolean {
  return /^[\w\-./]+$/.test(path);
}

/** A class for objects without a prototype. V8 makes them faster than `Object.create(null)`. */
class NoParameters {
  static {
    Reflect.setPrototypeOf(this.prototype, null);
    Reflect.deleteProperty(this.prototype, 'constructor');
  }
}

/** @returns `undefined` for a route with a JSON schema of its own */
function compiledRoute(
  server: FastifyInstance,
  options: RouteOptions,
  parts: Pick<CompiledRoute, 'sendError' | 'hooks' | 'trusts'>,
): CompiledRoute | undefined {
  const serialize = serializerOf(options);
  if (serialize === undefined) return undefined;
  const handler: Function = options.handler.bind(server);
  const maxBodyBytes = options.bodyLimit ?? server.initialConfig.bodyLimit ?? 0;
  return {
    ...parts,
    handle: (request, reply) => handler(request, reply),
    serialize,
    maxBodyBytes,
    options: routeOptionsOf(options, maxBodyBytes),
    server,
    log: server.log,
  };
}

/** Returns the function that writes a body. Like Fastify, it selects a writer by status, by first status digit, or by default. */
function serializerOf({
  schema,
  serializerCompiler,
  method,
  url,
}: RouteOptions): CompiledRoute['serialize'] | undefined {
  const response: unknown = schema?.response;
  if (serializerCompiler === undefined || typeof response !== 'object' || response === null) return undefined;
  const writers = new Map(
    Object.keys(response).map((httpStatus) => {
      const declared = { schema: {}, method: String(method), url, httpStatus };
      return [httpStatus, serializerCompiler(declared)];
    }),
  );
  const usual = writers.get('default') ?? JSON.stringify;
  const ofSuccess = writers.get('2xx') ?? usual;
  return (body, status) => {
    const write = writers.get(String(status)) ?? (status >= 200 && status < 300 ? ofSuccess : usual);
    return write(body);
  };
}

function routeOptionsOf(options: RouteOptions, bodyLimit: number): FastifyRequest['routeOptions'] {
  const { method, url, config, schema, handler } = options;
  return Object.freeze({
    method,
    url,
    bodyLimit,
    handlerTimeout: 0,
    attachValidation: false,
    logLevel: options.logLevel ?? '',
    exposeHeadRoute: options.exposeHeadRoute ?? true,
    prefixTrailingSlash: options.prefixTrailingSlash ?? '',
    handler,
    schema,
    config: { ...config, url, method },
  });
}
