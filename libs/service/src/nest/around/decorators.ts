import { aroundDecorator } from './around.interceptor';
import { declareIdempotent, declareIfMatch } from './declared';

/**
 * Lets callers repeat a POST or PATCH safely: with the header `Idempotency-Key` the handler runs once, and a retry with the
 * same key and body gets the same response for 24 hours. All queries of the handler, the key and the response are one
 * transaction.
 *
 * The handler may run several times until its transaction succeeds, so its only effects are queries. An error is not kept.
 */
export function Idempotent(): MethodDecorator {
  return aroundDecorator(declareIdempotent);
}

/**
 * Lets callers change a resource only as they have read it: with `If-Match`, the current `ETag` must be listed, with
 * `If-None-Match` it must not be, or the response is a 412. Comparison and change are one transaction, so that one of two
 * concurrent changes fails.
 *
 * @param reader the handler of the same controller that reads the resource, with the same path; it is `@ETag()`
 * @param isRequired whether a request without the header is a 428
 */
export function IfMatch(reader: string, { isRequired = false } = {}): MethodDecorator {
  return aroundDecorator((handler) => declareIfMatch(handler, { reader, isRequired }));
}
