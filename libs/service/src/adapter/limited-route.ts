import type { FastifyRequest } from 'fastify';
import type { RouteHandler } from '../routes/compile-route';
import type { Admission } from '../rate-limit/admission';

/**
 * Adds a rate limit to a route that Nest serves. The caller is authenticated first so that the limit applies to the caller. Nest
 * then authenticates the caller again and responds if that fails.
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
