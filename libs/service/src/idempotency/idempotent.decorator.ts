import { interceptedDecorator } from '../routes/handler.interceptor';

const idempotent = new WeakSet<object>();

/**
 * Lets callers repeat a POST or PATCH safely. With the header `Idempotency-Key`, the handler runs once, and a retry with the
 * same key and body gets the same response for 24 hours. The handler's queries on its `@Transaction()`, key and response share a
 * transaction.
 *
 * The handler may run several times until its transaction succeeds, so its only effects must be queries. Errors are not stored.
 */
export function Idempotent(): MethodDecorator {
  return interceptedDecorator((handler) => void idempotent.add(handler));
}

/** Returns whether a handler (the method itself) is {@link Idempotent}. */
export function isIdempotent(handler: object): boolean {
  return idempotent.has(handler);
}
