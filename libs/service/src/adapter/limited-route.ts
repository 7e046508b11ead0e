import type { FastifyRequest } from 'fastify';
import type { RouteHandler } from '../routes/compile-route';
import type { Admission } from '../rate-limit/admission';

/**
 * Adds a rate limit to a route that is left to Nest. The caller is authenticated before, to be known; Nest authenticates it
 * again, and responds if that fails.
 */
export function limitedRoute(
  handler: RouteHandler,
  authorize: ((request: FastifyRequest) => unknown) | undefined,
  admit: Admission,
): RouteHandler {
  return async (request, reply) => {
    try {
      await authorize?.(request);
    } catch {
      return handler(request, reply);
    }
    admit(request, reply);
    return handler(request, reply);
  };
}
