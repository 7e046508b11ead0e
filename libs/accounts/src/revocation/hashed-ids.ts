import { randomFillSync } from 'node:crypto';

const MIN_CAPACITY = 64;

/**
 * A set of ids in the order in which they were added, of which only hashes of 64 bits are stored: 16 to 32 bytes each while it grows, in
 * two typed arrays. An id that was not added is found with a probability of {@link size} ÷ 2⁶⁴; the hashes of each set begin with other
 * random bits.
 */
export class HashedIds {
  private readonly seeds = randomFillSync(new Int32Array(2));
  /** A power of two. */
  private capacity = MIN_CAPACITY;
  /** A ring of the hashes, two numbers each. */
  private hashes = new Int32Array(2 * MIN_CAPACITY);
  /** Open addressing with linear probing, at most half full: positions in the ring from 1; 0 if the slot is free. */
  private slots = new Int32Array(2 * MIN_CAPACITY);
  /** Position of the oldest in the ring. */
  private oldest = 0;
  private count = 0;
  /** What {@link hash} returns, without an allocation. */
  private low = 0;
  private high = 0;

  /** Number of ids. */
  get size(): number {
    return this.count;
  }

  /** Whether an id was added, and was not deleted since. */
  has(id: string): boolean {
    if (this.count === 0) return false;
    this.hash(id);
    return this.slots[this.slotOf(this.low, this.high)] !== 0;
  }

  /** Adds an id; one that is there already does not become newer. */
  add(id: string): void {
    if (this.count === this.capacity) this.resize(2 * this.capacity);
    this.hash(id);
    const slot = this.slotOf(this.low, this.high);
    if (this.slots[slot] !== 0) return;
    const position = (this.oldest + this.count) & (this.capacity - 1);
    this.hashes[2 * position] = this.low;
    this.hashes[2 * position + 1] = this.high;
    this.slots[slot] = position + 1;
    this.count += 1;
  }

  /** Deletes the ids that were added first. */
  deleteOldest(count: number): void {
    const left = this.count - count;
    const isSparse = this.capacity > MIN_CAPACITY && left <= this.capacity / 4;
    // Those that are left are copied: their slots need not be freed one by one.
    for (; this.count > left; this.count -= 1) {
      if (!isSparse) this.freeSlot(this.oldest);
      this.oldest = (this.oldest + 1) & (this.capacity - 1);
    }
    if (isSparse) this.resize(capacityFor(left));
  }

  /** In one pass, two characters at a time; each half takes the multipliers of others that are known to mix well. */
  private hash(id: string): void {
    const { length } = id;
    let low = this.seeds[0] ^ length;
    let high = this.seeds[1];
    for (let at = 0; at < length; at += 2) {
      const next = at + 1 < length ? id.charCodeAt(at + 1) : 0;
      const pair = id.charCodeAt(at) | (next << 16);
      low = Math.imul(low ^ pair, 0x9e3779b1);
      low ^= low >>> 15;
      high = Math.imul(high ^ pair, 0x5f356495);
      high ^= high >>> 13;
    }
    low = Math.imul(low ^ (low >>> 16), 0x85ebca6b);
    high = Math.imul(high ^ (high >>> 16), 0x85ebca6b);
    this.low = low ^ Math.imul(high ^ (high >>> 13), 0xc2b2ae35);
    this.high = high ^ Math.imul(this.low ^ (this.low >>> 13), 0xc2b2ae35);
  }

  /** The slot of a hash, or the free one in which it would be. */
  private slotOf(low: number, high: number): number {
    const { hashes, slots } = this;
    const mask = slots.length - 1;
    for (let slot = low & mask; ; slot = (slot + 1) & mask) {
      const at = 2 * (slots[slot] - 1);
      if (at < 0 || (hashes[at] === low && hashes[at + 1] === high)) return slot;
    }
  }

  /** Moves what follows into the freed slot, where it would be searched for in vain otherwise. */
  private freeSlot(position: number): void {
    const { hashes, slots } = this;
    const mask = slots.length - 1;
    let free = this.slotOf(hashes[2 * position], hashes[2 * position + 1]);
    for (let slot = (free + 1) & mask; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const home = hashes[2 * (slots[slot] - 1)] & mask;
      if (((slot - home) & mask) < ((slot - free) & mask)) continue;
      slots[free] = slots[slot];
      free = slot;
    }
    slots[free] = 0;
  }

  /** Copies all to other arrays: some 20 ms for a million. */
  private resize(capacity: number): void {
    const { hashes, oldest } = this;
    const mask = this.capacity - 1;
    this.capacity = capacity;
    this.hashes = new Int32Array(2 * capacity);
    this.slots = new Int32Array(2 * capacity);
    this.oldest = 0;
    for (let position = 0; position < this.count; position += 1) {
      const from = 2 * ((oldest + position) & mask);
      this.hashes[2 * position] = hashes[from];
      this.hashes[2 * position + 1] = hashes[from + 1];
      this.slots[this.slotOf(hashes[from], hashes[from + 1])] = position + 1;
    }
  }
}

/** Twice as many as there are, so that it neither grows nor shrinks again soon. */
function capacityFor(count: number): number {
  return Math.max(MIN_CAPACITY, 2 ** Math.ceil(Math.log2(2 * count + 1)));
}
