/** Hono like a service in production, with headers and a request log from its own middleware. */
import { Hono } from 'hono';
import { logger } from 'hono/logger';
import { requestId } from 'hono/request-id';
import { secureHeaders } from 'hono/secure-headers';
import { type Known, serveRoutes } from './hono-routes.mts';
import { logDestination } from './log-destination.mts';

const app = new Hono<Known>();
const log = logDestination();
app.use(requestId());
app.use(logger((line) => void log.write(`${line}\n`)));
app.use(
  secureHeaders({
    contentSecurityPolicy: { defaultSrc: ["'none'"], baseUri: ["'none'"], frameAncestors: ["'none'"] },
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    strictTransportSecurity: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xFrameOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  }),
);
app.use(async (context, next) => {
  await next();
  context.header('cache-control', 'no-store');
});

serveRoutes(app);
