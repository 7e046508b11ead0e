import { once } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Target } from '../target/target.mts';
import type { Attempt } from '../wire/exchange.mts';

/** What a {@link Worker} of a flood sends. */
export interface FloodOrder {
  readonly url: string;
  readonly connections: number;
  /** Sent in turn, and again from the first. */
  readonly attempts: readonly Attempt[];
}

/**
 * Sends requests on several connections, each the next one when the last was answered, until the signal. In a thread of its
 * own, so that the baseline caller's latencies are those of the service.
 */
export async function flood(
  { wire }: Pick<Target, 'wire'>,
  connections: number,
  attempts: readonly Attempt[],
  signal: AbortSignal,
  begun: () => void,
): Promise<void> {
  const workerData: FloodOrder = { url: wire.url.href, connections, attempts };
  // Compiled in the package of the commands.
  const file = `flood-worker${extname(import.meta.filename)}`;
  const worker = new Worker(new URL(file, import.meta.url), { workerData });
  await once(worker, 'message');
  begun();
  if (!signal.aborted) await once(signal, 'abort');
  await worker.terminate();
}
