import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Compiles the library that slows fsync.
 *
 * @returns a function for the environment in which every fsync takes `milliseconds` longer, or `undefined` without a C compiler
 */
export function makeSlowFsync(
  folder: string,
): ((milliseconds: number) => Record<string, string>) | undefined {
  const library = join(folder, 'slow-fsync.so');
  mkdirSync(folder, { recursive: true });
  const { status } = spawnSync('cc', [
    '-shared',
    '-fPIC',
    '-O2',
    '-o',
    library,
    join(import.meta.dirname, 'slow-fsync.c'),
    '-ldl',
  ]);
  if (status !== 0) return undefined;
  return (milliseconds) => ({ LD_PRELOAD: library, SLOW_FSYNC_US: String(milliseconds * 1000) });
}
