/** An approximate LRU cache. When its recent generation is full, it replaces the older generation. A recent hit moves nothing. */
export class BoundedCache<Value, Key = string> {
  private recent = new Map<Key, Value>();
  private older = new Map<Key, Value>();
  private readonly half: number;

  /** @param max the most entries */
  constructor(max: number) {
    this.half = Math.ceil(max / 2);
  }

  /** The number of entries. */
  get size(): number {
    return this.recent.size + this.older.size;
  }

  get(key: Key): Value | undefined {
    const value = this.recent.get(key);
    return value === undefined ? this.promote(key) : value;
  }

  set(key: Key, value: Value): void {
    if (this.recent.size >= this.half && !this.recent.has(key)) {
      this.older = this.recent;
      this.recent = new Map();
    }
    this.older.delete(key);
    this.recent.set(key, value);
  }

  delete(key: Key): void {
    this.recent.delete(key);
    this.older.delete(key);
  }

  clear(): void {
    this.recent.clear();
    this.older.clear();
  }

  private promote(key: Key): Value | undefined {
    const value = this.older.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }
}
