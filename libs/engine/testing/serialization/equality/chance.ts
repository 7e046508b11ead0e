/** A pseudo-random generator that makes the same choices for the same seed. */
export class Chance {
  private state: number;

  constructor(seed: number) {
    this.state = seed | 0;
  }

  /** @returns a number from 0 up to, but not including, 1 (mulberry32) */
  next(): number {
    this.state = (this.state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** Returns an integer from 0 up to, but not including, `below`. */
  below(below: number): number {
    return Math.floor(this.next() * below);
  }

  /** @param probability from 0 (never) to 1 (always) */
  is(probability: number): boolean {
    return this.next() < probability;
  }

  one<Choice>(choices: readonly Choice[]): Choice {
    return choices[this.below(choices.length)];
  }

  /** Returns a random subset of the choices, in random order. */
  some<Choice>(choices: readonly Choice[], probability: number): Choice[] {
    const taken = choices.filter(() => this.is(probability));
    for (let at = taken.length - 1; at > 0; at--) {
      const index = this.below(at + 1);
      [taken[at], taken[index]] = [taken[index], taken[at]];
    }
    return taken;
  }
}
