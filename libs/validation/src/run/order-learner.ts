/** How soon an order is compiled; the fuzzer does not wait. */
export const learning = {
  /** One of so many values that have no known order is counted; a prime number, as values may come in turns. */
  every: 61,
  /** An order that so many of them had is compiled. */
  enough: 3,
};

/** The number of orders that are compiled per class, and that are counted at a time. */
const MOST_COMPILED = 8;
const MOST_COUNTED = 16;
/** Values until the end of the process. */
const ALWAYS = 2 ** 30;

/**
 * Finds the orders of keys that many values of a class have, such as those without an optional field. Only so many are
 * compiled that no caller can cause more.
 */
export class OrderLearner {
  /** The number of values until one is counted, which the generated code decrements. */
  left = learning.every;
  private readonly counts = new Map<string, number>();
  private free = MOST_COMPILED;

  /**
   * @param accepts whether values with these keys can be read in their order
   * @param compile generates the function for them
   */
  constructor(
    private readonly accepts: (keys: readonly string[]) => boolean,
    private readonly compile: (keys: readonly string[]) => void,
  ) {}

  /** Counts a value; called when none is left. */
  count(value: object): void {
    this.left = this.free > 0 ? learning.every : ALWAYS;
    const keys = Object.keys(value);
    if (this.free === 0 || !this.accepts(keys)) return;
    const order = keys.join();
    const count = (this.counts.get(order) ?? 0) + 1;
    if (this.counts.size >= MOST_COUNTED) this.counts.clear();
    this.counts.set(order, count);
    if (count !== learning.enough) return;
    this.free -= 1;
    this.compile(keys);
  }
}
