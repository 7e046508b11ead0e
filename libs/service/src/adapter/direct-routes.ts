/// <reference types="./fastify-internals" />
import { tracingChannel } from 'node:diagnostics_channel';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { isStreamCheck } from '@app/contract';
import type { FastifyInstance, RouteOptions } from 'fastify';
import symbols from 'fastify/lib/symbols.js';
import findMyWay, { type HTTPMethod } from 'find-my-way';
import { inspectHeaders, inspectRequest } from '../http/inspect-request';
import { withoutPorts } from '../http/forwarded-for';
import type { OwnPrefix } from '../http/own-prefix';
import { isOwnHook } from '../routes/own-hooks';
import { directReplyOf, type ReplyClass } from './direct-reply';
import {
  directRequestOf,
  type DirectRoute,
  type Found,
  handleDirectly,
  type RequestHook,
} from './direct-request';

/** A route as Fastify registers it, which its router shows to `buildPrettyMeta`. */
interface RoutedPath {
  readonly method: HTTPMethod;
  readonly path: string;
  readonly store: RouteState;
  readonly opts: Pick<RouteOptions, 'constraints'>;
}

/** What Fastify keeps of a route. */
interface RouteState {
  readonly Request: DirectRoute['Request'];
  readonly Reply: ReplyClass;
  readonly handler: DirectRoute['handler'];
  readonly handlerTimeout: number;
}

type HookName =
  | 'onRequest'
  | 'preParsing'
  | 'preValidation'
  | 'preHandler'
  | 'preSerialization'
  | 'onSend'
  | 'onResponse'
  | 'onRequestAbort'
  | 'onTimeout'
  | 'onError';

/** The constraint by which the router tells upgrades of connections from requests for the same path. */
export const upgradeConstraint = 'upgrade';

/** Whether a route serves upgrades, and no other request. */
function isUpgradeRoute({ constraints }: Pick<RouteOptions, 'constraints'>): boolean {
  return constraints !== undefined && upgradeConstraint in constraints;
}

/** Fastify publishes there what it handles, if somebody subscribes. */
const handlerChannel = tracingChannel('fastify.request.handler');

/**
 * The requests that need nothing of what Fastify and Nest do around a handler: those to a compiled route whose hooks are all
 * ours, with a usual head. They are handled by the `request` listener of the server, with Fastify's own request and reply. All
 * others are left to Fastify, also those that are rejected before they are routed.
 */
export class DirectRoutes {
  private readonly routed: RoutedPath[] = [];
  private readonly options = new Map<string, RouteOptions>();
  private readonly frameworkHooks = new Set<Function>();
  private readonly calledHooks = new Set<Function>();
  private readonly router;
  /** Of each method, those whose path has no parameter, by their path. */
  private readonly fixed = new Map<string, Map<string, DirectRoute>>();
  private readonly methods = new Set<string>();
  private isOpen = false;
  private isClosed = false;
  /** Those that may be handled directly, such as `GET /users/:id`. */
  readonly candidates = new Set<string>();
  /** Those of them that are. */
  readonly names = new Set<string>();

  /**
   * @param maxParamLength as Fastify's router has it
   * @param own            that the program removes from paths
   */
  constructor(
    maxParamLength: number | undefined,
    private readonly own: OwnPrefix,
  ) {
    this.router = findMyWay({ maxParamLength });
  }

  /** For Fastify's router, whose routes {@link open} reads. */
  readonly buildPrettyMeta = (route: RoutedPath): object => {
    // Fastify merges the routes of several methods into one later.
    if (!isUpgradeRoute(route.opts)) this.routed.push({ ...route });
    return {};
  };

  /** Sees the routes of a server; to be called with the hooks of the framework alone. */
  watch(server: FastifyInstance): void {
    this.ignoreHooks(server);
    server.addHook('onRoute', (route) => {
      if (isUpgradeRoute(route)) return;
      for (const method of [route.method].flat()) this.options.set(`${method} ${route.url}`, route);
    });
    server.addHook('preClose', (done) => {
      this.close();
      done();
    });
  }

  /**
   * Ignores the hooks that are added meanwhile: those of the framework, which do nothing unless they are told to. By default all
   * until now.
   */
  ignoreHooks<Result>(server: FastifyInstance, meanwhile?: () => Result): Result | undefined {
    return noteHooks(this.frameworkHooks, server, meanwhile);
  }

  /** Calls the hooks that are added meanwhile: they call `done` before they return, and respond to nothing but `OPTIONS`. */
  callHooks(server: FastifyInstance, meanwhile: () => void): void {
    noteHooks(this.calledHooks, server, meanwhile);
  }

  /**
   * Handles what it can before the other listeners of a server.
   *
   * @param server with its `request` listeners already added
   */
  listen(server: Server): void {
    const listeners = server.listeners('request');
    server.removeAllListeners('request');
    server.on('request', (request, response) => {
      if (this.isOpen && this.handle(request, response)) return;
      for (const listener of listeners) listener.call(server, request, response);
    });
  }

  /**
   * Begins to handle requests, unless it was closed before.
   *
   * @param server with all of its routes
   */
  open(server: FastifyInstance): void {
    const isConstrained = [...this.options.values()].some(
      ({ constraints }) => Object.keys(constraints ?? {}).length > 0,
    );
    if (this.isClosed || isConstrained || hasMiddleware(server)) return;
    server.printRoutes({ includeMeta: true, commonPrefix: false });
    for (const { method, path, store } of this.routed) {
      const name = `${method} ${path}`;
      const options = this.options.get(name);
      const route = options && this.candidates.has(name) ? this.routeOf(server, options, store) : undefined;
      if (route) {
        this.names.add(name);
        this.methods.add(method);
      }
      this.router.on(method, path, () => undefined, route);
      if (route && isFixed(path)) this.fixedOf(method).set(path, route);
    }
    this.isOpen = true;
  }

  /** Leaves all requests to Fastify from now on. */
  close(): void {
    this.isClosed = true;
    this.isOpen = false;
  }

  private handle(request: IncomingMessage, response: ServerResponse): boolean {
    const { url = '', method = '' } = request;
    // Of a pipelined request the response has no socket yet.
    if (response.socket === null || handlerChannel.hasSubscribers || !url.startsWith('/')) return false;
    const target = this.own.strip(request, url);
    if (this.own.isOutside(request) || !this.isUsed(method)) return false;
    const fixed = this.fixed.get(method)?.get(target);
    const found = fixed === undefined ? this.router.find(method, target) : withoutParameters(fixed);
    const route: DirectRoute | null | undefined = found?.store;
    if (!found || !route || !hasUsualHead(request, route, fixed ? inspectHeaders : inspectRequest))
      return false;
    if (target !== url) request.url = target;
    handleDirectly(route, request, response, found);
    return true;
  }

  private isUsed(method: string): method is HTTPMethod {
    return this.methods.has(method);
  }

  private fixedOf(method: string): Map<string, DirectRoute> {
    const known = this.fixed.get(method) ?? new Map<string, DirectRoute>();
    this.fixed.set(method, known);
    return known;
  }

  /** @returns `undefined` if something else than ours belongs to the route */
  private routeOf(
    server: FastifyInstance,
    options: RouteOptions,
    state: RouteState,
  ): DirectRoute | undefined {
    const all = (name: HookName) => [...hooksOf(server, name), ...listOf(Reflect.get(options, name))];
    const none: HookName[] = [
      'preParsing',
      'preValidation',
      'preHandler',
      'preSerialization',
      'onTimeout',
      'onError',
    ];
    if (none.some((name) => all(name).length > 0) || state.handlerTimeout > 0) return undefined;
    const first = all('onRequest').filter((hook) => !this.frameworkHooks.has(hook));
    const before = first.filter((hook): hook is RequestHook => this.calledHooks.has(hook));
    const send = all('onSend').filter((hook) => !isStreamCheck(hook));
    const after = all('onResponse').filter((hook) => !this.frameworkHooks.has(hook));
    const aborted = all('onRequestAbort');
    const isOurs =
      areOwn(first.filter((hook) => !this.calledHooks.has(hook))) &&
      areOwn(send) &&
      areOwn(after) &&
      areOwn(aborted);
    if (!isOurs) return undefined;
    return {
      state,
      handler: state.handler,
      Request: directRequestOf(state.Request),
      Reply: directReplyOf(state.Reply, send),
      log: server.log,
      maxBodyBytes: options.bodyLimit ?? server.initialConfig.bodyLimit ?? 0,
      before,
      after,
      aborted,
    };
  }
}

/** Whether a path matches nothing but itself, and before all others that match it. */
function isFixed(path: string): boolean {
  return /^[\w\-./]+$/.test(path);
}

/** As the router finds it. */
function withoutParameters(store: DirectRoute): Found & { readonly store: DirectRoute } {
  return { params: new NoParameters(), searchParams: {}, store };
}

/** An object without a prototype; V8 makes it faster than `Object.create(null)`. */
class NoParameters {
  static {
    Reflect.setPrototypeOf(this.prototype, null);
    Reflect.deleteProperty(this.prototype, 'constructor');
  }
}

/** Notes the hooks that are added meanwhile; Fastify adds them later, in the order of the calls. */
function noteHooks<Result>(
  into: Set<Function>,
  server: FastifyInstance,
  meanwhile: (() => Result) | undefined,
): Result | undefined {
  const others = new Set<Function>();
  if (meanwhile) server.after(() => hooksAround(server).forEach((hook) => others.add(hook)));
  const result = meanwhile?.();
  server.after(() => {
    for (const hook of hooksAround(server)) if (!others.has(hook)) into.add(hook);
  });
  return result;
}

function hooksAround(server: FastifyInstance): readonly Function[] {
  return [...hooksOf(server, 'onRequest'), ...hooksOf(server, 'onResponse')];
}

function hooksOf(server: FastifyInstance, name: HookName): readonly Function[] {
  const hooks: Readonly<Partial<Record<HookName, unknown>>> = Reflect.get(server, symbols.kHooks);
  return listOf(hooks[name]);
}

function listOf(hooks: unknown): readonly Function[] {
  return [hooks].flat().filter((hook) => typeof hook === 'function');
}

function areOwn(hooks: readonly Function[]): hooks is readonly ((...given: unknown[]) => void)[] {
  return hooks.every(isOwnHook);
}

/** Whether a module has registered middleware. */
function hasMiddleware(server: FastifyInstance): boolean {
  const flag = Object.getOwnPropertySymbols(server).find(
    ({ description }) => description === 'fastify-middie-has-middlewares',
  );
  return flag === undefined || Reflect.get(server, flag) !== false;
}

const bodyless = new Set(['GET', 'DELETE']);
const usualTypes = new Set(['application/json', 'application/json; charset=utf-8']);

/** Whether the head is one that the ingress accepts, of a request without a body or with one of JSON and known length. */
function hasUsualHead(
  request: IncomingMessage,
  { maxBodyBytes }: DirectRoute,
  inspect: typeof inspectRequest,
): boolean {
  const { headers, httpVersion, method = '' } = request;
  if (httpVersion !== '1.1' || headers.expect !== undefined || headers['transfer-encoding'] !== undefined)
    return false;
  if (headers.upgrade !== undefined) return false;
  const { 'content-length': length, 'content-type': type } = headers;
  if (length !== undefined) {
    if (bodyless.has(method) || type === undefined || !usualTypes.has(type)) return false;
    if (headers['content-encoding'] !== undefined || !(Number(length) > 0 && Number(length) <= maxBodyBytes))
      return false;
  } else if (type !== undefined && !bodyless.has(method)) return false;
  try {
    inspect(request);
  } catch {
    return false;
  }
  const forwardedFor = headers['x-forwarded-for'];
  if (typeof forwardedFor === 'string') headers['x-forwarded-for'] = withoutPorts(forwardedFor);
  return true;
}
