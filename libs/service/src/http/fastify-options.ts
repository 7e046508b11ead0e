import type { IncomingMessage, ServerOptions } from 'node:http';
import type { ErrorForm } from '@app/contract';
import type { FastifyReply, FastifyRequest, FastifyServerOptions } from 'fastify';
import { type ErrorSending, replyToConnectionError } from './connection-errors';
import { replyTo } from './framework-errors';
import { type IngressLimits, ingressLimits } from './limits';
import { originForm } from './origin-form';
import { OwnPrefix } from './own-prefix';
import { render, specifiedForm } from '../responses/render';

type Options = FastifyServerOptions & {
  readonly http: ServerOptions;
};

/**
 * Returns the Fastify options that every program needs: the limits, and error handlers for requests that fail before routing.
 * (Fastify's defaults lack a request timeout, and its error bodies differ from the specification's.)
 *
 * @param limits overrides for tests
 * @param pathPrefix the prefix that paths have for clients
 * @param form the form in which errors are sent
 * @param own the prefix that the program removes from paths
 * @param shouldUpgradeCallback returns whether a request upgrades its connection; otherwise it is served as HTTP/1.1
 */
export function fastifyOptions(
  limits: Partial<IngressLimits> = {},
  pathPrefix = '',
  form: ErrorForm = specifiedForm,
  own = new OwnPrefix(''),
  shouldUpgradeCallback: ServerOptions['shouldUpgradeCallback'] = () => false,
): Options {
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
      // inspectRequest checks the Host header, with a Sluice error.
      requireHostHeader: false,
      shouldUpgradeCallback,
    },
    rewriteUrl: (request) => routedTarget(request, own),
    frameworkErrors: (error, request, reply) =>
      sendFrameworkError(error, request, reply, { pathPrefix, form }),
    clientErrorHandler: (error, socket) => replyToConnectionError(error, socket, { pathPrefix, form }),
  };
}

/** Returns the target for the router. It also replaces Fastify's original URL, because error messages quote it. */
function routedTarget(request: IncomingMessage, own: OwnPrefix): string {
  const { url = '/' } = request;
  const path = own.strip(request, originForm(url));
  if (path !== url) Object.assign(request, { originalUrl: path });
  return path;
}

function sendFrameworkError(
  error: Error,
  request: FastifyRequest,
  reply: FastifyReply,
  { pathPrefix, form }: ErrorSending,
): void {
  const { id, headers } = request;
  const written = render(replyTo(error), form, { id, accept: headers.accept, pathPrefix });
  void reply.code(written.status).headers(written.headers).send(written.body);
}
