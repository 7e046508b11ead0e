import { setTimeout as pause } from 'node:timers/promises';

const stepMs = 50;

/** The conditions under which a figure has settled. */
export interface Settling {
  /** The rise up to which the figure counts as stable. */
  readonly step?: number;
  /** The time for which the figure must be stable. */
  readonly stableMs?: number;
  /** After so long in any case. */
  readonly longestMs?: number;
  /** The figure above which waiting ends, because the result can no longer change. */
  readonly limit?: number;
}

/** Waits until a figure stops rising, and returns the largest figure that was read. */
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
