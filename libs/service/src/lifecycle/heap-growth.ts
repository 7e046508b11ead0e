import { setFlagsFromString } from 'node:v8';

/**
 * From now on V8 collects all garbage when its old generation is twice as large as after the last collection. By default it may
 * grow to four times that size where memory is free. Resident memory under load: `docs/reference/limits.md`.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString('--heap-growing-percent=100');
}
