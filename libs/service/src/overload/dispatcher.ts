import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http';
import { limitPipelining } from './limit-pipelining';

/** Takes a request, or leaves it to the next step. @returns whether it was taken */
export type RequestStep = (...given: Parameters<RequestListener>) => boolean;

/** The options of a server, as Fastify has them. */
interface FastifyServerOptions {
  readonly http?: ServerOptions;
  readonly connectionTimeout?: number;
  readonly keepAliveTimeout?: number;
  readonly requestTimeout?: number;
}

/** The only `request` listener of a server: a request that no step takes is Fastify's. */
export class Dispatcher {
  /** Each request passes these in their order, behind the limit of pipelining. */
  steps: readonly RequestStep[] = [];

  /** Creates the server, as Fastify's `serverFactory`. */
  createServer(fastify: RequestListener, options: FastifyServerOptions): Server {
    const { http = {}, connectionTimeout = 0, keepAliveTimeout, requestTimeout } = options;
    const server = createServer(
      { ...http, keepAliveTimeout, requestTimeout },
      limitPipelining((request, response) => {
        for (const step of this.steps) if (step(request, response)) return;
        fastify(request, response);
      }),
    );
    return server.setTimeout(connectionTimeout);
  }
}
