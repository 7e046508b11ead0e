import type { Middleware } from 'openapi-fetch';
import { idempotentRoutes } from './idempotent-routes';
import type { Send } from './session';

const header = 'idempotency-key';
const routes = new Set(idempotentRoutes);

/** Adds a new `Idempotency-Key` to a request whose route accepts one, unless it has one. */
export const withIdempotencyKey: Middleware = {
  onRequest: ({ request, schemaPath }) => {
    const accepts = routes.has(`${request.method} ${schemaPath}`);
    if (accepts && !request.headers.has(header)) request.headers.set(header, crypto.randomUUID());
  },
};

/** Sends a request with an `Idempotency-Key` once more if no response arrives, unless it was aborted. */
export function repeating(send: Send): Send {
  return async (request) => {
    if (!request.headers.has(header)) return send(request);
    const again = request.clone();
    try {
      return await send(request);
    } catch (error) {
      if (request.signal.aborted) throw error;
      return send(again);
    }
  };
}
