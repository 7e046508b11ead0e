import type { FastifyInstance, onResponseHookHandler, RouteOptions } from 'fastify';
import { ownHook } from '../routes/own-hooks';
import { secondsBounds } from './histogram';
import type { Count, Metrics } from './metrics';

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * Counts the requests of each route. The labels are the routes that are registered, never what a client sends: unknown
 * paths are the route `none`, unknown methods `other`.
 *
 * A route gets a hook of its own, which knows its series: finding them for each request would cost more than counting.
 *
 * @param server before its routes are registered
 */
export function measureRequests(server: FastifyInstance, metrics: Metrics): void {
  server.addHook('onRoute', (route) => {
    route.onResponse = [...[route.onResponse ?? []].flat(), ownHook(hookOf(route, metrics))];
  });
  const observers = new Map<string, RouteObserver>();
  const countUnknown: onResponseHookHandler = (request, reply, done) => {
    if (request.is404)
      observerOf(observers, metrics, 'none', request.method).observe(reply.statusCode, reply.elapsedTime);
    done();
  };
  server.addHook('onResponse', ownHook(countUnknown));
}

function hookOf({ method, url }: RouteOptions, metrics: Metrics): onResponseHookHandler {
  const observers = new Map<string, RouteObserver>();
  const [only, ...others] = [method].flat();
  if (others.length === 0) {
    const observer = new RouteObserver(metrics, url, only ?? '');
    return (_request, reply, done) => {
      observer.observe(reply.statusCode, reply.elapsedTime);
      done();
    };
  }
  return (request, reply, done) => {
    observerOf(observers, metrics, url, request.method).observe(reply.statusCode, reply.elapsedTime);
    done();
  };
}

function observerOf(
  observers: Map<string, RouteObserver>,
  metrics: Metrics,
  route: string,
  given: string,
): RouteObserver {
  const method = methods.has(given) ? given : 'other';
  const observer = observers.get(method) ?? new RouteObserver(metrics, route, method);
  observers.set(method, observer);
  return observer;
}

/** The series of one route and method. */
class RouteObserver {
  private readonly durations;
  /** By status. */
  private readonly counts: Count[] = [];

  constructor(
    private readonly metrics: Metrics,
    private readonly route: string,
    private readonly method: string,
  ) {
    const help = 'Time from the head of a request to the end of its response.';
    this.durations = metrics.histogram('http_request_duration_seconds', help, secondsBounds, {
      method,
      route,
    });
    // From 0, as a first number has no rate: otherwise no alert would see the first burst of errors.
    this.counts[500] = this.countOf(500);
  }

  observe(status: number, elapsedMs: number): void {
    this.durations.observe(elapsedMs / 1000);
    (this.counts[status] ??= this.countOf(status)).add();
  }

  private countOf(status: number): Count {
    const { method, route } = this;
    return this.metrics.counter('http_requests_total', 'Completed requests.', {
      method,
      route,
      status: String(status),
    });
  }
}
