import { setTimeout as pause } from 'node:timers/promises';

const stepMs = 50;

/** How a figure settles. */
export interface Settling {
  /** It has settled when it does not rise by more than this. */
  readonly step?: number;
  /** For so long. */
  readonly stableMs?: number;
  /** After so long in any case. */
  readonly longestMs?: number;
  /** Nothing changes the result once it is above this. */
  readonly limit?: number;
}

/** Waits until a figure rises no more. @returns the largest that was read */
export async function settled(
  read: () => number,
  { step = 0, stableMs = 300, longestMs = 10_000, limit = Infinity }: Settling = {},
): Promise<number> {
  let most = read();
  const end = performance.now() + longestMs;
  for (let since = performance.now(); most <= limit && performance.now() < end;) {
    if (performance.now() - since >= stableMs) break;
    await pause(stepMs);
    const now = read();
    if (now > most + step) since = performance.now();
    most = Math.max(most, now);
  }
  return most;
}
