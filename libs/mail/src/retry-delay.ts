const FIRST_MS = 30_000;
const LONGEST_MS = 3_600_000;

/** The wait after an attempt that failed: 30 s, then twice as long each time, up to an hour. */
export function retryDelayMs(attempts: number): number {
  return Math.min(FIRST_MS * 2 ** (attempts - 1), LONGEST_MS);
}
