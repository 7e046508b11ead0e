import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { INestApplication } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AmbiguousPathError, UnknownPathError } from '../http/errors';
import { upgradeConstraint } from '../pipeline/compiled-routes';
import type { RateLimits } from '../rate-limit/rate-limits.service';

/** A request to upgrade its connection. */
interface Upgrade {
  readonly socket: Socket;
  /** The first bytes of the new protocol. */
  readonly head: Buffer;
  readonly isPlain: boolean;
}

/** Decides about the paths of upgraded connections. */
interface UpgradeAccess {
  /** Returns whether the program's plan names a path. */
  readonly names: (path: string) => boolean;
  /** Rejects with the guard's error unless the caller may use the path. */
  readonly authorize: (path: string, request: FastifyRequest) => Promise<void>;
}

/**
 * Returns whether a request target is in origin form and every parser reads the same path from it. The path must not contain
 * percent-encoding, backslashes, or `.`, `..` and empty segments. A fragment is rejected too.
 *
 * @param host the `Host` header, from which adapters build a URL
 */
function hasPlainPath(target: string, host: string | undefined): boolean {
  const [path = ''] = target.split('?', 1);
  return (
    !/[%#]|\/\//.test(path) && !target.includes('#') && URL.parse(target, `ws://${host}/`)?.pathname === path
  );
}

/**
 * Sends connection upgrades through a request's stages. Each upgrade is a request to its gateway's route. It is logged, counted,
 * limited by address and authorized before the gateway's listener takes the connection.
 */
export class Upgrades {
  private readonly pending = new WeakMap<object, Upgrade>();
  private gateways: ReadonlySet<string> = new Set();
  private listeners: readonly Function[] = [];
  private isRouted = false;

  /** Returns whether Node treats a request as an upgrade. Upgrades to protocols other than WebSocket are served as HTTP/1.1. */
  readonly accepts = ({ headers }: IncomingMessage): boolean =>
    this.listeners.length > 0 && headers.upgrade?.toLowerCase() === 'websocket';

  constructor(private readonly access: UpgradeAccess) {}

  /** The paths of the program's gateways. */
  get paths(): readonly string[] {
    return [...this.gateways];
  }

  /**
   * Registers the upgrade routes. Call it before `init`, which makes gateways listen.
   *
   * @param hasOthers whether the plan names paths in addition to the gateways' paths
   * @throws TypeError for a gateway on a port of its own
   */
  register(app: INestApplication, server: FastifyInstance, limits: RateLimits, hasOthers: boolean): void {
    const providers = app.get(DiscoveryService, { strict: false }).getProviders();
    this.gateways = new Set(providers.flatMap(({ metatype }) => gatewayPath(metatype) ?? []));
    if (this.gateways.size === 0 && !hasOthers) return;
    this.isRouted = true;
    server.addConstraintStrategy({
      name: upgradeConstraint,
      storage: handlersByValue,
      deriveConstraint: (request) => this.pending.has(request) || undefined,
      mustMatchWhenDerived: true,
    });
    const admit = limits.admissionOf(Upgrades, Upgrades, 'UPGRADE');
    for (const url of new Set([...this.gateways, '/*']))
      server.route({
        method: 'GET',
        url,
        exposeHeadRoute: false,
        constraints: { [upgradeConstraint]: true },
        // The route authorizes the caller itself, for the path that it hands over.
        config: { isPublic: true },
        onRequest: async (request, reply) => {
          admit?.(request, reply);
          await this.check(request);
        },
        handler: (request, reply) => {
          reply.hijack();
          this.handOver(request, reply.raw, server.server);
        },
      });
  }

  /**
   * Replaces the server's upgrade listeners. Call it when all modules have started.
   *
   * @throws TypeError if an adapter serves the gateways elsewhere
   */
  seal(server: Server): void {
    const listeners = server.listeners('upgrade');
    if (this.gateways.size > 0 && listeners.length === 0)
      throw new TypeError(
        'The adapter of the WebSocket gateways has a server of its own, where no guard checks their callers. ' +
          'Give it the application: app.useWebSocketAdapter(new WsAdapter(app)).',
      );
    server.removeAllListeners('upgrade');
    if (!this.isRouted || listeners.length === 0) return;
    this.listeners = listeners;
    server.on('upgrade', (request, socket, head) => this.route(server, request, socket, head));
  }

  private route(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // Node leaves the connection to the upgrade listener, so unhandled socket errors would end the program.
    socket.on('error', ignore);
    if (!(socket instanceof Socket)) return void socket.destroy();
    const response = new ServerResponse(request);
    try {
      response.assignSocket(socket);
    } catch {
      // The response to an earlier request is under way.
      return void socket.destroy();
    }
    response.shouldKeepAlive = false;
    response.once('finish', endConnection);
    const { url = '', headers } = request;
    this.pending.set(request, { socket, head, isPlain: hasPlainPath(url, headers.host) });
    if (!url.startsWith('/')) request.url = `/${url}`;
    server.emit('request', request, response);
  }

  /** Checks an upgrade. @throws AmbiguousPathError, UnknownPathError, or the guard's error */
  private async check(request: FastifyRequest): Promise<void> {
    if (this.pending.get(request.raw)?.isPlain !== true) throw new AmbiguousPathError();
    const [path = ''] = request.url.split('?', 1);
    const isServed = this.gateways.has(path) || (this.hasOtherListeners && this.access.names(path));
    if (!isServed) throw new UnknownPathError(request.method, request.url);
    await this.access.authorize(path, request);
  }

  /** Whether the server has upgrade listeners in addition to the gateways' adapter, which has a single listener. */
  get hasOtherListeners(): boolean {
    return this.listeners.length > Math.min(1, this.gateways.size);
  }

  private handOver(
    { raw, user }: FastifyRequest & { user?: unknown },
    response: ServerResponse,
    server: Server,
  ): void {
    const upgrade = this.pending.get(raw);
    // The client closed the connection while its caller was checked.
    if (!upgrade || upgrade.socket.destroyed) return;
    const { socket, head } = upgrade;
    this.pending.delete(raw);
    response.detachSocket(socket);
    Object.assign(raw, { user });
    for (const listen of this.listeners) Reflect.apply(listen, server, [raw, socket, head]);
    socket.off('error', ignore);
    // A listener refuses an invalid handshake and ends the connection.
    response.statusCode = socket.writable ? 101 : 400;
    response.emit('finish');
    response.emit('close');
  }
}

/** Closes the connection after a response. A connection that was handed over no longer belongs to the response and stays open. */
function endConnection(this: ServerResponse): void {
  this.socket?.destroySoon();
}

function ignore(): void {}

function handlersByValue() {
  const handlers = new Map<unknown, never>();
  return {
    get: (value: unknown) => handlers.get(value) ?? null,
    set: (value: unknown, handler: never) => void handlers.set(value, handler),
  };
}

/**
 * Returns a gateway's path as its adapter has it, or `undefined` for any other class.
 *
 * @throws TypeError for a gateway on a port of its own
 */
function gatewayPath(type: unknown): string | undefined {
  if (typeof type !== 'function' || Reflect.getMetadata('websockets:is_gateway', type) !== true)
    return undefined;
  const port: unknown = Reflect.getMetadata('port', type);
  if (port !== 0)
    throw new TypeError(
      `${type.name} listens on the port ${String(port)} of its own, where no guard checks its callers. ` +
        "Write @WebSocketGateway({ path: '/…' }) without a port: the program serves it beside its routes.",
    );
  const { path = '' }: { path?: string } = Reflect.getMetadata('websockets:gateway_options', type) ?? {};
  return `/${path}`.replace(/\/+$/, '').replaceAll(/\/+/g, '/') || '/';
}
