import { readDuration } from './duration';

/** A number of events in a period. */
export interface Rate {
  readonly limit: number;
  readonly windowSeconds: number;
}

const form = /^(\d{1,7})\/(\d{1,5}[smhd])$/;
const longestSeconds = 86_400;
const units = [
  ['d', 86_400],
  ['h', 3600],
  ['m', 60],
] as const;

/**
 * Reads a rate: `600/1m` is 600 a minute. The period is at most a day.
 *
 * @returns `undefined` if the text is malformed
 */
export function readRate(text: string): Rate | undefined {
  const [, limit, period = ''] = form.exec(text) ?? [];
  const rate = { limit: Number(limit), windowSeconds: (readDuration(period) ?? NaN) / 1000 };
  return rate.limit > 0 && rate.windowSeconds > 0 && rate.windowSeconds <= longestSeconds ? rate : undefined;
}

/** Writes a rate in its shortest form. */
export function rateText({ limit, windowSeconds }: Rate): string {
  const [unit, seconds] = units.find(([, unitSeconds]) => windowSeconds % unitSeconds === 0) ?? ['s', 1];
  return `${limit}/${windowSeconds / seconds}${unit}`;
}
