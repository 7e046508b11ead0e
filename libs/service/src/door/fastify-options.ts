import type { FastifyReply, FastifyRequest, FastifyServerOptions } from 'fastify';
import { answerConnectionError } from './connection-errors';
import { answerTo } from './framework-errors';
import { type DoorLimits, doorLimits } from './limits';
import { anyForm, writeAnswer, writeUnexpected } from './write-answer';

type Options = FastifyServerOptions & {
  readonly http: { readonly [name: string]: number | boolean };
};

/**
 * What Fastify must be made with: the limits, and our own answers to the errors that arise before a request has
 * a route. (By default a body may take for ever to arrive, and these errors have bodies of their own.)
 *
 * @param limits other limits than the service's own, for tests
 */
export function fastifyOptions(limits: Partial<DoorLimits> = {}): Options {
  const all = { ...doorLimits, ...limits };
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
  const answer = answerTo(error);
  const written = answer ? writeAnswer(answer, anyForm) : writeUnexpected(request.id);
  void reply.code(written.status).headers(written.headers).send(written.body);
}
