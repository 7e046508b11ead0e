/** Fastify like a service in production, with headers, a log line for each request, and a load limit. */
import { randomUUID } from 'node:crypto';
import helmet from '@fastify/helmet';
import underPressure from '@fastify/under-pressure';
import fastify, { type FastifyBaseLogger, LogController } from 'fastify';
import { pino } from 'pino';
import { options, serveRoutes } from './fastify-routes.mts';
import { logDestination } from './log-destination.mts';

const loggerInstance: FastifyBaseLogger = pino(logDestination());
const app = fastify({
  ...options,
  loggerInstance,
  logController: new LogController({ disableRequestLogging: true }),
  genReqId: () => randomUUID(),
});
await app.register(helmet, {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], baseUri: ["'none'"], frameAncestors: ["'none'"] },
  },
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  strictTransportSecurity: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xFrameOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
});
// As ours: checked with each request, never reached.
await app.register(underPressure, { maxEventLoopDelay: 60_000 });
app.addHook('onRequest', async (request, reply) => {
  void reply.header('cache-control', 'no-store').header('x-request-id', request.id);
});
app.addHook('onResponse', async (request, reply) => {
  const { method, url, id: requestId } = request;
  const [path] = url.split('?', 1);
  const { statusCode: status, elapsedTime: durationMs } = reply;
  request.log.info({ requestId, method, path, status, durationMs }, 'request completed');
});

await serveRoutes(app);
