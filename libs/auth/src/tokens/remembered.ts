/**
 * A memory of a bounded number of things, which keeps what is asked for and forgets the rest. Nothing is moved at a
 * look-up: what was not asked for since half of the memory was filled anew is gone with the other half.
 */
export class Remembered<Value> {
  private recent = new Map<string, Value>();
  private older = new Map<string, Value>();
  private readonly half: number;

  /** @param max how many things are kept at most */
  constructor(max: number) {
    this.half = Math.ceil(max / 2);
  }

  /** How many things are kept. */
  get size(): number {
    return this.recent.size + this.older.size;
  }

  get(key: string): Value | undefined {
    return this.recent.get(key) ?? this.bringBack(key);
  }

  set(key: string, value: Value): void {
    if (this.recent.size >= this.half) {
      this.older = this.recent;
      this.recent = new Map();
    }
    this.older.delete(key);
    this.recent.set(key, value);
  }

  private bringBack(key: string): Value | undefined {
    const value = this.older.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }
}
