import type { FastifyInstance, onResponseHookHandler } from 'fastify';
import { Counter, Histogram, type Registry } from 'prom-client';
import { ownHook } from '../routes/own-hooks';

/** The upper bounds in seconds of the buckets for request waits, from 0.5 ms to 10 s. */
export const secondsBuckets = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * Counts requests by route. The labels are the registered routes and never contain client input. Unknown paths get the route
 * `none`, and unknown methods get `other`.
 *
 * @param server the server, before its routes are registered
 */
export function measureRequests(server: FastifyInstance, registry: Registry): void {
  const registers = [registry];
  const requests = new Counter({
    name: 'http_requests_total',
    help: 'Completed requests.',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the head of a request to the end of its response.',
    labelNames: ['method', 'route'],
    buckets: secondsBuckets,
    registers,
  });
  // Series start at 0 because a first number has no rate, and alerts would miss the first burst of errors.
  server.addHook('onRoute', ({ method: declared, url: route }) => {
    if (typeof declared !== 'string') return;
    const method = labelOf(declared);
    durations.zero({ method, route });
    requests.inc({ method, route, status: 500 }, 0);
  });
  const count: onResponseHookHandler = (request, { statusCode: status, elapsedTime }, done) => {
    const route = request.is404 ? 'none' : (request.routeOptions.url ?? 'none');
    const method = labelOf(request.method);
    durations.observe({ method, route }, elapsedTime / 1000);
    requests.inc({ method, route, status });
    done();
  };
  server.addHook('onResponse', ownHook(count));
}

function labelOf(method: string): string {
  return methods.has(method) ? method : 'other';
}
