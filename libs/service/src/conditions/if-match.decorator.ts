import { interceptedDecorator } from '../routes/handler.interceptor';

/** The precondition of a route: the entity tag of another handler's response. */
export interface IfMatchRule {
  /** The handler of the same controller that reads the resource; its path is the same. */
  readonly reader: string;
  /** Whether a request without `If-Match` is a 428. */
  readonly isRequired: boolean;
}

const preconditions = new WeakMap<object, IfMatchRule>();

/**
 * Lets callers change a resource only as they have read it: with `If-Match`, the current `ETag` must be listed, with
 * `If-None-Match` it must not be, or the response is a 412. Comparison and change are one transaction, so that one of two
 * concurrent changes fails.
 *
 * @param reader the handler of the same controller that reads the resource, with the same path; it is `@ETag()`
 * @param isRequired whether a request without the header is a 428
 */
export function IfMatch(reader: string, { isRequired = false } = {}): MethodDecorator {
  return interceptedDecorator(
    (handler) => void preconditions.set(handler, Object.freeze({ reader, isRequired })),
  );
}

/** The {@link IfMatch} of a handler (the method itself). */
export function ifMatchRuleOf(handler: object): IfMatchRule | undefined {
  return preconditions.get(handler);
}
