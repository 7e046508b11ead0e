import { once } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Target } from '../target/target.mts';
import type { Attempt } from '../wire/exchange.mts';

/** The order that a flood {@link Worker} receives. */
export interface FloodOrder {
  readonly url: string;
  readonly connections: number;
  /** The requests, which are sent in turn and repeated. */
  readonly attempts: readonly Attempt[];
}

/**
 * Sends requests on several connections until the signal is aborted. Each connection sends its next request after the last
 * response. The flood runs in its own thread, so that the baseline caller measures only the service's latencies.
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
