import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http';
import { limitPipelining } from './limit-pipelining';

/** A step that handles a request or leaves it to the next step. @returns whether the step handled the request */
export type RequestStep = (...args: Parameters<RequestListener>) => boolean;

/** The server options as Fastify passes them. */
interface FastifyServerOptions {
  readonly http?: ServerOptions;
  readonly connectionTimeout?: number;
  readonly keepAliveTimeout?: number;
  readonly requestTimeout?: number;
}

/** The server's only `request` listener. Fastify handles a request that every step leaves. */
export class Dispatcher {
  /** The steps that each request passes in order, after the pipelining limit. */
  steps: readonly RequestStep[] = [];

  /** Creates the server. Fastify calls it as `serverFactory`. */
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
