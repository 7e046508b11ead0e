import { executionAsyncResource } from 'node:async_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { systemTiming, type Timing } from '@app/timers';

const kept: object[] = [];

/**
 * Keeps one object of `process.nextTick` for the life of the process. If a collection finds none, V8 drops their hidden class, does
 * not learn the next one, and each later call costs 0.3 µs in place of 0.03; a request makes five. To be called before the first collection.
 */
export function keepTick(): void {
  process.nextTick(() => kept.push(executionAsyncResource()));
}

/** Share of a second in which the event loop had work. */
type Utilization = () => number;

const IDLE = 0.1;

/**
 * Collects garbage once, in the first second in which the program had little to do: it takes some 100 ms, for which neither the start nor
 * requests shall wait. A program that is never idle keeps the memory until V8 needs it.
 */
export function collectGarbageWhenIdle(
  collect = collectGarbage,
  utilization: Utilization = utilizationSinceLastCall(),
  timing: Timing = systemTiming,
): void {
  const stop = timing.every(1000, () => {
    if (utilization() > IDLE) return;
    stop();
    collect();
  });
}

function utilizationSinceLastCall(): Utilization {
  let last = performance.eventLoopUtilization();
  return () => {
    const { utilization } = performance.eventLoopUtilization(last);
    last = performance.eventLoopUtilization();
    return utilization;
  };
}

/** Releases the memory that loading the modules needed, which V8 keeps until there is memory pressure: 143 MiB resident become 111. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const gc: (options: object) => void = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

/**
 * From now on V8 collects all garbage when its old generation is twice as large as after the last collection. By default it may
 * grow to four times that size where memory is free. Resident memory under load: `docs/reference/limits.md`.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString('--heap-growing-percent=100');
}
