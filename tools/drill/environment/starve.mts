import { setTimeout as pause } from 'node:timers/promises';
import type { DrillProgram } from '../programs/program.mts';

/** The periods for which programs have no CPU and then have some CPU. */
export interface Starvation {
  readonly stoppedMs: number;
  readonly runningMs: number;
}

/** Returns the starvation as a part of a sentence. */
export function describeStarvation({ stoppedMs, runningMs }: Starvation): string {
  return `no CPU for ${stoppedMs} ms of every ${stoppedMs + runningMs}, by SIGSTOP and SIGCONT`;
}

/** Gives all programs no CPU for a part of the time. Returns a function that stops it and resolves when they run. */
export function starve(
  programs: () => readonly DrillProgram[],
  { stoppedMs, runningMs }: Starvation,
): () => Promise<void> {
  const stopping = new AbortController();
  const starving = (async () => {
    while (!stopping.signal.aborted) {
      const stopped = [...programs()];
      for (const { child } of stopped) child.kill('SIGSTOP');
      await pause(stoppedMs);
      for (const { child } of stopped) child.kill('SIGCONT');
      await pause(runningMs);
    }
  })();
  return async () => {
    stopping.abort();
    await starving;
  };
}
