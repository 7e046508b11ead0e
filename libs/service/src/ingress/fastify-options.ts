import type { FastifyReply, FastifyRequest, FastifyServerOptions } from 'fastify';
import { answerConnectionError } from './connection-errors';
import { replyTo } from './framework-errors';
import { type IngressLimits, ingressLimits } from './limits';
import { anyForm, writeErrorReply, writeUnhandled } from './write-error';

type Options = FastifyServerOptions & {
  readonly http: { readonly [name: string]: number | boolean };
};

/**
 * What Fastify must be made with: the limits, and our own answers to the errors that arise before a request has
 * a route. (By default a body may take for ever to arrive, and these errors have bodies of their own.)
 *
 * @param limits other limits than the service's own, for tests
 */
export function fastifyOptions(limits: Partial<IngressLimits> = {}): Options {
  const all = { ...ingressLimits, ...limits };
  return {
    bodyLimit: all.maxBodyBytes,
    requestTimeout: all.requestTimeoutMs,
    connectionTimeout: all.idleTimeoutMs,
    keepAliveTimeout: all.keepAliveTimeoutMs,
    routerOptions: { maxParamLength: all.maxParamLength },
    http: {
      maxHeaderSize: all.maxHeaderBytes,
      headersTimeout: Math.min(all.headersTimeoutMs, all.requestTimeoutMs),
      connectionsCheckingInterval: all.timeoutCheckMs,
      // The door looks for it itself, and says what is missing.
      requireHostHeader: false,
    },
    frameworkErrors: sendFrameworkError,
    clientErrorHandler: (error, socket) => answerConnectionError(error, socket),
  };
}

function sendFrameworkError(error: Error, request: FastifyRequest, reply: FastifyReply): void {
  const known = replyTo(error);
  const written = known ? writeErrorReply(known, anyForm) : writeUnhandled(request.id);
  void reply.code(written.status).headers(written.headers).send(written.body);
}
