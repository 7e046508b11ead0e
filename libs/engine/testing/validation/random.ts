/** A pseudo-random number generator that gives the same numbers for the same seed (sfc32). */
export class Random {
  private first = 0x9e3779b9 | 0;
  private second: number;
  private third: number;
  private count = 1;

  constructor(seed: number) {
    this.second = 0x243f6a88 ^ Math.floor(seed / 2 ** 32);
    this.third = seed | 0;
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
    const copy = [...list];
    for (let end = copy.length - 1; end > 0; end--) {
      const at = this.below(end + 1);
      [copy[end], copy[at]] = [copy[at] as One, copy[end] as One];
    }
    return copy;
  }

  seed(): number {
    return this.next() * 2 ** 20 + (this.next() >>> 12);
  }

  private next(): number {
    const { first, second, third } = this;
    const sum = (first + second + this.count) | 0;
    this.first = second ^ (second >>> 9);
    this.second = (third + (third << 3)) | 0;
    this.third = (((third << 21) | (third >>> 11)) + sum) | 0;
    this.count = (this.count + 1) | 0;
    return sum >>> 0;
  }
}
