import cors, { type FastifyCorsOptions } from '@fastify/cors';
import type { FastifyInstance, FastifyPluginCallback, FastifyRequest } from 'fastify';
import type { CorsOrigins } from './cors-origins';
import type { IngressLog } from '../logs/open-logs';

/** The response headers that a page may read, in addition to those that every page may. */
const exposedHeaders = [
  'Active-API-Keys',
  'ETag',
  'Idempotent-Replayed',
  'Link',
  'Location',
  'Preference-Applied',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'WWW-Authenticate',
  'X-Request-Id',
];
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
/** The longest that browsers keep the response to a preflight. */
const maxAgeSeconds = 7200;

/** Refused origins that are remembered, so that each is logged once; any client can send any origin. */
const mostRefused = 100;
const longestOrigin = 200;

/**
 * Lets pages of other origins call a program. To be called before the program is initialised.
 *
 * Exact origins may send credentials; with `*` browsers send none. Without origins nothing is added to requests and
 * responses, and a preflight is a 404.
 *
 * @param own called with what adds the hook
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
    // A preflight without a method has the same response as others, and not by a text of the plugin.
    strictPreflight: false,
  };
  const addHooks: FastifyPluginCallback = (instance, _options, done) =>
    own(() => cors(instance, options, done));
  // The hook is one of the server, and not of a scope.
  void server.register(Object.assign(addHooks, { [Symbol.for('skip-override')]: true }));
}

/**
 * The headers by which a page may read a response that is written before the framework handles the request.
 *
 * @returns alternating names and values; none if the origin is not allowed
 */
export function originHeaders(origins: CorsOrigins, origin: string | undefined): readonly string[] {
  const allowed = allowedOrigin(origins, origin);
  if (allowed === undefined) return [];
  const exposed = ['access-control-expose-headers', exposedHeaders.join(', ')];
  const credentials = origins === '*' ? [] : ['access-control-allow-credentials', 'true'];
  return ['vary', 'Origin', 'access-control-allow-origin', allowed, ...credentials, ...exposed];
}

/** @returns the value of `Access-Control-Allow-Origin`; `undefined` if there is none */
function allowedOrigin(origins: CorsOrigins, origin: string | undefined): string | undefined {
  if (origins === false || origin === undefined) return undefined;
  if (origins === '*') return '*';
  return origins.includes(origin) ? origin : undefined;
}

/** Makes a function that logs preflights which are refused, each origin once; to be called with each `OPTIONS` request. */
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
