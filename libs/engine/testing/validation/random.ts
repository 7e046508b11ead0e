/** A pseudo-random number generator that gives the same numbers for the same seed (sfc32). */
export class Random {
  private one = 0x9e3779b9 | 0;
  private two: number;
  private three: number;
  private count = 1;

  constructor(seed: number) {
    this.two = 0x243f6a88 ^ Math.floor(seed / 2 ** 32);
    this.three = seed | 0;
    for (let round = 0; round < 15; round++) this.next();
  }

  /** Returns a whole number from 0 up to, but not including, `end`. */
  below(end: number): number {
    return Math.floor((this.next() / 2 ** 32) * end);
  }

  /** Returns true in `percent` of a hundred cases. */
  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  pick<One>(list: readonly One[]): One {
    return list[this.below(list.length)] as One;
  }

  /** Returns some list elements, in list order. */
  some<One>(list: readonly One[], percent = 50): One[] {
    return list.filter(() => this.chance(percent));
  }

  shuffled<One>(list: readonly One[]): One[] {
    const made = [...list];
    for (let end = made.length - 1; end > 0; end--) {
      const at = this.below(end + 1);
      [made[end], made[at]] = [made[at] as One, made[end] as One];
    }
    return made;
  }

  seed(): number {
    return this.next() * 2 ** 20 + (this.next() >>> 12);
  }

  private next(): number {
    const { one, two, three } = this;
    const sum = (one + two + this.count) | 0;
    this.one = two ^ (two >>> 9);
    this.two = (three + (three << 3)) | 0;
    this.three = (((three << 21) | (three >>> 11)) + sum) | 0;
    this.count = (this.count + 1) | 0;
    return sum >>> 0;
  }
}
