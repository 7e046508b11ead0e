import { on } from 'node:events';
import type { Listening } from './banner';

/** The first worker exited before it listened, and has written the reason. Aborts the start. */
export class WorkerStartError extends Error {
  override readonly name = 'WorkerStartError';
}

/** The number of heartbeats that a worker sends in the time after which it counts as hung. */
export const beatsInTimeout = 10;

/** A message from a worker to its supervisor. */
export type WorkerMessage = { readonly listening: Listening } | 'sluice:alive' | 'sluice:metrics';

/** Tells the supervisor that this worker listens, and then sends heartbeats. */
export function joinSupervisor(listening: Listening, timeoutSeconds: number): void {
  send({ listening });
  setInterval(() => send('sluice:alive'), (timeoutSeconds * 1000) / beatsInTimeout);
}

/** Requests the metrics of all workers. The text is empty if a worker does not respond. */
export async function requestMetrics(): Promise<string> {
  const messages = on(process, 'message');
  send('sluice:metrics');
  for await (const [message] of messages)
    if (typeof message?.sluiceMetrics === 'string') return message.sluiceMetrics;
  return '';
}

function send(message: WorkerMessage): void {
  // A supervisor that has just exited takes its workers with it.
  process.send?.(message, undefined, undefined, () => undefined);
}
