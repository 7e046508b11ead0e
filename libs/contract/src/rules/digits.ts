/**
 * Parses an integer that consists of decimal digits.
 *
 * `1e1`, ` 10 `, `0x0a`, `10.0`, `+5` and the empty string are rejected, although JavaScript converts each to a number.
 *
 * @returns the number, at most `Number.MAX_SAFE_INTEGER` so that a store can be queried with it; `undefined` for anything but
 *   digits
 */
export function readDigits(value: unknown): number | undefined {
  if (typeof value !== 'string' || !/^\d+$/.test(value)) return undefined;
  return Math.min(Number(value), Number.MAX_SAFE_INTEGER);
}
