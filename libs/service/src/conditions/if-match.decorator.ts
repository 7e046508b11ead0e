import { interceptedDecorator } from '../routes/handler.interceptor';

/** A route's precondition: the entity tag that the reader's response has. */
export interface IfMatchRule {
  /** The handler that reads the resource. It belongs to the same controller and has the same path. */
  readonly reader: string;
  /** Whether a request without `If-Match` gets a 428. */
  readonly isRequired: boolean;
}

const preconditions = new WeakMap<object, IfMatchRule>();

/**
 * Lets callers change a resource only as they have read it. `If-Match` must list the current `ETag`, and `If-None-Match` must
 * leave it out. Otherwise the response is a 412. Comparison and change share a transaction, so that only the first concurrent
 * change succeeds.
 *
 * @param reader the handler that reads the resource: in the same controller, with the same path and with `@ETag()`
 * @param isRequired whether a request that lacks the header gets a 428
 */
export function IfMatch(reader: string, { isRequired = false } = {}): MethodDecorator {
  return interceptedDecorator(
    (handler) => void preconditions.set(handler, Object.freeze({ reader, isRequired })),
  );
}

/** Returns the {@link IfMatch} rule of a handler (the method itself). */
export function ifMatchRuleOf(handler: object): IfMatchRule | undefined {
  return preconditions.get(handler);
}
