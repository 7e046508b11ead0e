import '../../scripts/load-sources.mts';
import 'reflect-metadata';
import { parentPort, workerData } from 'node:worker_threads';
import { type PackageFormat, usePacked } from './packed.mts';

/** The class trees for which a worker compares values. */
export interface Batch {
  readonly seeds: readonly number[];
}

/** The result of a batch. */
export interface Report {
  readonly values: number;
  readonly trees: number;
  readonly classes: number;
  readonly direct: number;
  readonly leftWhole: number;
  /** The CPU time in milliseconds. */
  readonly milliseconds: number;
  /** The first difference as text, which ends the batch. */
  readonly difference?: string;
}

const packed: PackageFormat | undefined = workerData ?? undefined;
if (packed) usePacked(packed);
const { compareTree } = await import('../../libs/engine/testing/serialization/equality/compare.ts');

/**
 * The number of batches between collections. V8 caches the source and bytecode for every `new Function`, here 2 KB per value,
 * and ordinary collections keep most entries. Without this the heap grew to its limit. A smaller number would be slower.
 */
const BATCHES_PER_COLLECTION = 10;
let batches = 0;

// class-transformer awaits thenables, but its callers do not await it: rejections there are unhandled on both sides.
process.on('unhandledRejection', () => undefined);

parentPort?.on('message', ({ seeds }: Batch) => parentPort?.postMessage(compare(seeds), []));

function compare(seeds: readonly number[]): Report {
  const report = { values: 0, trees: 0, classes: 0, direct: 0, leftWhole: 0 };
  const before = process.threadCpuUsage();
  let difference: string | undefined;
  for (const seed of seeds) {
    const comparison = compareTree(seed);
    for (const name of ['values', 'classes', 'direct', 'leftWhole'] as const)
      report[name] += comparison[name];
    report.trees += 1;
    if (comparison.differences.length === 0) continue;
    difference = JSON.stringify(comparison.differences[0], asText, 2);
    break;
  }
  batches += 1;
  if (batches % BATCHES_PER_COLLECTION === 0) globalThis.gc?.();
  const { user, system } = process.threadCpuUsage(before);
  return { ...report, milliseconds: (user + system) / 1000, ...(difference !== undefined && { difference }) };
}

/** A difference may contain values that JSON cannot represent. */
function asText(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'symbol' || typeof value === 'function') return String(value);
  return value;
}
