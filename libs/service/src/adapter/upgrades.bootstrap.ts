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
  /** Whether the plan of the program names a path. */
  readonly names: (path: string) => boolean;
  /** Rejects with the error of the guard unless the caller of a request may use a path. */
  readonly authorize: (path: string, request: FastifyRequest) => Promise<void>;
}

/**
 * Returns whether a request target is in origin form and each parser reads the same path from it: the path has no
 * percent-encoding, no `.`, `..` or empty part and no backslash, and the target has no fragment.
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
 * Sends upgrades of connections through the stages of requests: each is a request to a route of its gateway, which is logged,
 * counted, limited by address and authorized, before the listener of the gateway takes the connection.
 */
export class Upgrades {
  private readonly pending = new WeakMap<object, Upgrade>();
  private gateways: ReadonlySet<string> = new Set();
  private listeners: readonly Function[] = [];
  private isRouted = false;

  /** Whether Node treats a request as an upgrade. Upgrades to other protocols than WebSocket are served as HTTP/1.1. */
  readonly accepts = ({ headers }: IncomingMessage): boolean =>
    this.listeners.length > 0 && headers.upgrade?.toLowerCase() === 'websocket';

  constructor(private readonly access: UpgradeAccess) {}

  /** The paths of the gateways of the program. */
  get paths(): readonly string[] {
    return [...this.gateways];
  }

  /**
   * Registers the routes of upgrades; to be called before `init`, which makes gateways listen.
   *
   * @param hasOthers whether the plan names paths beside those of gateways
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
        // It authorizes by itself, by the path that it hands over.
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
   * Takes the place of the listeners for upgrades; to be called when all modules have started.
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
    // Node has left the connection to whoever upgrades it: its errors would end the program.
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

  /** @throws AmbiguousPathError, UnknownPathError, or the error of the guard */
  private async check(request: FastifyRequest): Promise<void> {
    if (this.pending.get(request.raw)?.isPlain !== true) throw new AmbiguousPathError();
    const [path = ''] = request.url.split('?', 1);
    const isServed = this.gateways.has(path) || (this.hasOtherListeners && this.access.names(path));
    if (!isServed) throw new UnknownPathError(request.method, request.url);
    await this.access.authorize(path, request);
  }

  /** Whether something else than the gateways, whose adapter has one listener, upgrades connections. */
  get hasOtherListeners(): boolean {
    return this.listeners.length > Math.min(1, this.gateways.size);
  }

  private handOver(
    { raw, user }: FastifyRequest & { user?: unknown },
    response: ServerResponse,
    server: Server,
  ): void {
    const upgrade = this.pending.get(raw);
    // It was closed while its caller was checked.
    if (!upgrade || upgrade.socket.destroyed) return;
    const { socket, head } = upgrade;
    this.pending.delete(raw);
    response.detachSocket(socket);
    Object.assign(raw, { user });
    for (const listen of this.listeners) Reflect.apply(listen, server, [raw, socket, head]);
    socket.off('error', ignore);
    // A listener refuses a handshake that is none, and ends the connection.
    response.statusCode = socket.writable ? 101 : 400;
    response.emit('finish');
    response.emit('close');
  }
}

/** After a response; a connection that was handed over is no longer the response's. */
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
 * Returns the path of a gateway as its adapter has it, `undefined` for another class.
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
