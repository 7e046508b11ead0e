/**
 * Reads a whole number as the wire writes one: decimal digits and nothing else.
 *
 * `1e1`, ` 10 `, `0x0a`, `10.0`, `+5` and the empty string are no numbers here, though JavaScript reads each as one.
 *
 * @returns the number, at most `Number.MAX_SAFE_INTEGER` so that a store can be asked for it; `undefined` for
 *          anything that is not a string of digits
 */
export function readDigits(value: unknown): number | undefined {
  if (typeof value !== 'string' || !/^\d+$/.test(value)) return undefined;
  return Math.min(Number(value), Number.MAX_SAFE_INTEGER);
}
