/**
 * An approximate LRU cache of two generations: when the recent one is full it replaces the older one, which is dropped.
 * A hit in the recent generation moves nothing.
 */
export class BoundedCache<Value> {
  private recent = new Map<string, Value>();
  private older = new Map<string, Value>();
  private readonly half: number;

  /** @param max maximum number of entries */
  constructor(max: number) {
    this.half = Math.ceil(max / 2);
  }

  /** Number of entries. */
  get size(): number {
    return this.recent.size + this.older.size;
  }

  get(key: string): Value | undefined {
    return this.recent.get(key) ?? this.promote(key);
  }

  set(key: string, value: Value): void {
    if (this.recent.size >= this.half) {
      this.older = this.recent;
      this.recent = new Map();
    }
    this.older.delete(key);
    this.recent.set(key, value);
  }

  private promote(key: string): Value | undefined {
    const value = this.older.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }
}
