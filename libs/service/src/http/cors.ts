import cors, { type FastifyCorsOptions } from '@fastify/cors';
import type { FastifyInstance, FastifyPluginCallback, FastifyRequest } from 'fastify';
import type { CorsOrigins } from './cors-origins';
import type { IngressLog } from '../logs/open-logs';

/** The response headers that a page may read in addition to the headers that every page may read. */
const exposedHeaders = [
  'Active-API-Keys',
  'Deprecation',
  'ETag',
  'Idempotent-Replayed',
  'Link',
  'Location',
  'Preference-Applied',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Sunset',
  'WWW-Authenticate',
  'X-Request-Id',
];
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
/** The longest time for which browsers keep a preflight response. */
const maxAgeSeconds = 7200;

/** The number of refused origins that are remembered, so that each is logged once. Clients can send any origin. */
const mostRefused = 100;
const longestOrigin = 200;

/**
 * Lets pages from foreign origins call a program. Call it before the program is initialized.
 *
 * Exact origins may send credentials. With `*`, browsers omit credentials. If no origins are allowed, requests and responses are
 * unchanged, and a preflight is a 404.
 *
 * @param own called with the function that adds the hook
 */
export function allowOrigins(
  server: FastifyInstance,
  origins: CorsOrigins,
  own: (meanwhile: () => void) => void,
): void {
  if (origins === false) return;
  const options: FastifyCorsOptions = {
    origin: (origin, done) => done(null, allowedOrigin(origins, origin) ?? false),
    credentials: origins !== '*',
    methods,
    exposedHeaders,
    maxAge: maxAgeSeconds,
    // A preflight without a method gets the usual response instead of the plugin's text.
    strictPreflight: false,
  };
  const addHooks: FastifyPluginCallback = (instance, _options, done) =>
    own(() => cors(instance, options, done));
  // The hook belongs to the server instead of a scope.
  void server.register(Object.assign(addHooks, { [Symbol.for('skip-override')]: true }));
}

/**
 * Returns the headers that let a page read a response that is written before the framework handles the request.
 *
 * @returns alternating names and values; empty if the origin is not allowed
 */
export function originHeaders(origins: CorsOrigins, origin: string | undefined): readonly string[] {
  const allowed = allowedOrigin(origins, origin);
  if (allowed === undefined) return [];
  const exposed = ['access-control-expose-headers', exposedHeaders.join(', ')];
  const credentials = origins === '*' ? [] : ['access-control-allow-credentials', 'true'];
  return ['vary', 'Origin', 'access-control-allow-origin', allowed, ...credentials, ...exposed];
}

/** @returns the value for `Access-Control-Allow-Origin`; `undefined` if the origin is not allowed */
function allowedOrigin(origins: CorsOrigins, origin: string | undefined): string | undefined {
  if (origins === false || origin === undefined) return undefined;
  if (origins === '*') return '*';
  return origins.includes(origin) ? origin : undefined;
}

/** Makes a function that logs refused preflights, once for each origin. Call the function with each `OPTIONS` request. */
export function refusedPreflightLog(
  origins: CorsOrigins,
  log: IngressLog,
): (request: FastifyRequest) => void {
  const refused = new Set<string>();
  return ({ headers, id: requestId }) => {
    const origin = headers.origin?.slice(0, longestOrigin);
    const isPreflight = origin !== undefined && headers['access-control-request-method'] !== undefined;
    if (!isPreflight || allowedOrigin(origins, origin) !== undefined) return;
    if (refused.has(origin) || refused.size >= mostRefused) return;
    refused.add(origin);
    log.warn({ origin, requestId }, 'CORS preflight rejected: origin not in CORS_ORIGINS');
  };
}
