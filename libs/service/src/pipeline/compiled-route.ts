import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';

/** A hook that does not receive the body. It must call `done` before it returns. */
export type RequestHook = (request: object, reply: object, done: () => void) => void;
/** A hook that may replace the body. It must call `done` before it returns. */
export type PayloadHook = (request: object, reply: object, payload: unknown, done: PayloadDone) => void;
type PayloadDone = (error: Error | null, payload?: unknown) => void;
/** A hook that runs after a client has closed the connection. */
export type AbortHook = (request: object, done: () => void) => void;

/** A route that the pipeline serves. */
export interface CompiledRoute {
  /** Runs the guard, the rate limit, the pipe, the handler and the writer. */
  readonly handle: (request: object, reply: object) => unknown;
  readonly sendError: (error: unknown, request: object, reply: object) => unknown;
  /** Writes a handler's result by the class that the route declares for the status. */
  readonly serialize: (body: unknown, status: number) => string;
  readonly maxBodyBytes: number;
  /** Returns whether the program trusts the proxy at an address; `undefined` without trusted proxies. */
  readonly trusts: ((address: string, hop: number) => boolean) | undefined;
  readonly hooks: RouteHooks;
  readonly options: FastifyRequest['routeOptions'];
  readonly server: FastifyInstance;
  readonly log: FastifyBaseLogger;
}

/** A route's hooks. Each list has the order in which Fastify runs the hooks. */
export interface RouteHooks {
  readonly onRequest: readonly RequestHook[];
  readonly preHandler: readonly RequestHook[];
  readonly preSerialization: readonly PayloadHook[];
  readonly onSend: readonly PayloadHook[];
  readonly onResponse: readonly RequestHook[];
  readonly onRequestAbort: readonly AbortHook[];
}
