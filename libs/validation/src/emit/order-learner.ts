import type { ClassPlan } from '../plan/plan';

/** How soon an order is compiled; the fuzzer does not wait. */
export const learning = {
  /** One of so many values that have no known order is looked at; a prime number, as values may come in turns. */
  lookedAt: 61,
  /** An order that so many of them had is compiled. */
  enough: 3,
};

/** The number of orders that are compiled per class, and that are counted at a time. */
const MOST_COMPILED = 4;
const MOST_COUNTED = 16;
/** How many more fields an order may have than its class, and how unknown ones are named: a client chooses both. */
const MOST_UNKNOWN = 8;
const UNKNOWN_NAME = /^\w{1,40}$/;
/** Values until the end of the process. */
const ALWAYS = 2 ** 30;

/**
 * Finds the orders of keys that many values of a class have, such as those without an optional field. Only so many are
 * compiled that no caller can cause more.
 */
export class OrderLearner {
  /** The number of values until one is looked at, which the generated code counts. */
  left = learning.lookedAt;
  private readonly counts = new Map<string, number>();
  private free = MOST_COMPILED;

  /** @param compile generates the function for values with exactly these keys */
  constructor(
    private readonly plan: ClassPlan,
    private readonly compile: (keys: readonly string[]) => void,
  ) {}

  /** Looks at a value; called when none is left. */
  look(value: object): void {
    this.left = this.free > 0 ? learning.lookedAt : ALWAYS;
    const keys = Object.keys(value);
    if (this.free === 0 || !isOrder(this.plan, keys)) return;
    const order = keys.join();
    const count = (this.counts.get(order) ?? 0) + 1;
    if (this.counts.size >= MOST_COUNTED) this.counts.clear();
    this.counts.set(order, count);
    if (count !== learning.enough) return;
    this.free -= 1;
    this.compile(keys);
  }
}

/**
 * Whether values with these keys can be read in their order: exposed keys are converted even if they are absent, and
 * unknown ones have short names and are few.
 */
export function isOrder(plan: ClassPlan, keys: readonly string[]): boolean {
  const { shape, byKey, type } = plan;
  return (
    keys.length <= byKey.size + MOST_UNKNOWN &&
    keys.every((key) => byKey.has(key) || (UNKNOWN_NAME.test(key) && !(key in type.prototype))) &&
    shape.exposed.every(({ property }) => keys.includes(property))
  );
}
