const msIn: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const form = /^(\d{1,9})(ms|[smhd])$/;

/**
 * Reads a duration: `500ms`, `60s`, `15m`, `1h`, `30d`. The unit is required.
 *
 * @returns milliseconds, or `undefined`
 */
export function readDuration(text: string): number | undefined {
  const [, digits, unit = ''] = form.exec(text) ?? [];
  return digits === undefined ? undefined : Number(digits) * (msIn[unit] ?? NaN);
}
