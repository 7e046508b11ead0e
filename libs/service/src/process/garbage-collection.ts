import { executionAsyncResource } from 'node:async_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const kept: object[] = [];

/**
 * Keeps one object of `process.nextTick` for the life of the process. If a collection finds none, V8 drops their hidden class, does
 * not learn the next one, and each later call costs 0.3 µs in place of 0.03; a request makes five. To be called before the first collection.
 */
export function keepTick(): void {
  process.nextTick(() => kept.push(executionAsyncResource()));
}

/**
 * Runs one full garbage collection, to release the memory that loading the modules needed: V8 keeps it until there is
 * memory pressure. Resident memory fell from 143 MiB to 111. Takes about 50 ms, so it is called before the program listens.
 */
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
