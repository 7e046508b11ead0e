/** The precondition of a route: the entity tag of another handler's response. */
export interface IfMatchRule {
  /** The handler of the same controller that reads the resource; its path is the same. */
  readonly reader: string;
  /** Whether a request without `If-Match` is a 428. */
  readonly isRequired: boolean;
}

const idempotent = new WeakSet<object>();
const preconditions = new WeakMap<object, IfMatchRule>();

/** Declares that the requests of a handler (the method itself) can be repeated. */
export function declareIdempotent(handler: object): void {
  idempotent.add(handler);
}

/** Whether a handler (the method itself) is `@Idempotent()`. */
export function isIdempotent(handler: object): boolean {
  return idempotent.has(handler);
}

/** Declares the precondition of a handler (the method itself). */
export function declareIfMatch(handler: object, rule: IfMatchRule): void {
  preconditions.set(handler, Object.freeze(rule));
}

/** The `@IfMatch()` of a handler (the method itself). */
export function ifMatchRuleOf(handler: object): IfMatchRule | undefined {
  return preconditions.get(handler);
}
