/** Upper bounds in seconds of the buckets of what a request waits for: from 0.5 ms to 10 s. */
export const secondsBounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** How many observations were at most as large as each of some bounds, and their sum. */
export class Histogram {
  /** Of each bucket alone; the last one is above all bounds. */
  private readonly counts: Float64Array;
  private sum = 0;

  /** @param bounds ascending */
  constructor(private readonly bounds: readonly number[]) {
    this.counts = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    let at = 0;
    while (at < this.bounds.length && value > this.bounds[at]) at++;
    this.counts[at]++;
    this.sum += value;
  }

  /** @param labels as text, without braces */
  lines(name: string, labels: string): readonly string[] {
    const comma = labels === '' ? '' : `${labels},`;
    const braces = labels === '' ? '' : `{${labels}}`;
    let count = 0;
    const buckets = [...this.bounds, '+Inf'].map((bound, at) => {
      count += this.counts[at];
      return `${name}_bucket{${comma}le="${bound}"} ${count}`;
    });
    return [...buckets, `${name}_sum${braces} ${this.sum}`, `${name}_count${braces} ${count}`];
  }
}
