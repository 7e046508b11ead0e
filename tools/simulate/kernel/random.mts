/** L'Ecuyer's two combined linear congruential generators (1988). Each modulus and multiplier fits into a double. */
const first = { modulus: 2_147_483_563, factor: 40_014 };
const second = { modulus: 2_147_483_399, factor: 40_692 };

/** A random number generator with a seed. The same seed gives the same numbers. */
export class Random {
  private firstState: number;
  private secondState: number;

  constructor(seed: number) {
    this.firstState = 1 + (Math.abs(Math.trunc(seed)) % (first.modulus - 1));
    this.secondState = 1 + (Math.abs(Math.trunc(seed)) % (second.modulus - 1));
    // Neighbouring seeds begin alike.
    for (let at = 0; at < 20; at += 1) this.next();
  }

  /** Returns a number from 0 that is less than 1. */
  next(): number {
    this.firstState = (this.firstState * first.factor) % first.modulus;
    this.secondState = (this.secondState * second.factor) % second.modulus;
    const difference = this.firstState - this.secondState;
    return (difference < 1 ? difference + first.modulus - 1 : difference) / first.modulus;
  }

  between(least: number, most: number): number {
    return least + this.next() * (most - least);
  }

  /** Returns a whole number from 0 that is less than `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** The waiting time for an event that has the given mean. */
  exponential(mean: number): number {
    return -Math.log(1 - this.next()) * mean;
  }

  pick<T>(from: readonly [T, ...T[]]): T {
    return from[this.below(from.length)] ?? from[0];
  }
}
