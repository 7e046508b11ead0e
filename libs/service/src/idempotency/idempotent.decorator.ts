import { interceptedDecorator } from '../routes/handler.interceptor';

const idempotent = new WeakSet<object>();

/**
 * Lets callers repeat a POST or PATCH safely: with the header `Idempotency-Key` the handler runs once, and a retry with the
 * same key and body gets the same response for 24 hours. The queries of the handler on its `@Transaction()`, the key and the
 * response are one transaction.
 *
 * The handler may run several times until its transaction succeeds, so its only effects are queries. An error is not stored.
 */
export function Idempotent(): MethodDecorator {
  return interceptedDecorator((handler) => void idempotent.add(handler));
}

/** Whether a handler (the method itself) is {@link Idempotent}. */
export function isIdempotent(handler: object): boolean {
  return idempotent.has(handler);
}
