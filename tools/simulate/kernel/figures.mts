/** A distribution by its quantiles, in milliseconds: pairs of a share and the value that it does not exceed, ascending. */
export type Quantiles = readonly (readonly [share: number, ms: number])[];

/** A PostgreSQL server's measurements. */
export interface Figures {
  readonly commitMs: Quantiles;
  readonly notificationMs: Quantiles;
}

/** The value of a share, between two quantiles by the line between them. */
export function quantileOf(quantiles: Quantiles, share: number): number {
  let before: readonly [number, number] = [0, 0];
  for (const quantile of quantiles) {
    const [until, ms] = quantile;
    if (share <= until) {
      const [from, least] = before;
      return least + ((share - from) / (until - from || 1)) * (ms - least);
    }
    before = quantile;
  }
  return before[1];
}
