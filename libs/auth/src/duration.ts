const SECONDS_IN = new Map([
  ['', 1],
  ['s', 1],
  ['m', 60],
  ['h', 3600],
  ['d', 86_400],
]);
const DURATION = /^(\d{1,9})([smhd]?)$/;

/**
 * Reads a duration such as `60s`, `5m`, `1h` or `30d`; plain digits are seconds.
 *
 * @returns whole seconds; NaN for anything else
 */
export function readDuration(text: string): number {
  const [, digits, unit = ''] = DURATION.exec(text) ?? [];
  return Number(digits) * (SECONDS_IN.get(unit) ?? NaN);
}
