import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { FloodOrder } from './flood.mts';
import { Wire } from '../wire/wire.mts';

const { url, connections, attempts }: FloodOrder = workerData;
const wire = new Wire(new URL(url));

/** A refused connection fails at once: without a pause this would only measure the machine. */
const pauseMs = 20;

async function sendForever(first: number): Promise<void> {
  for (let at = first; attempts.length > 0; at += connections) {
    const attempt = attempts[at % attempts.length];
    if (attempt === undefined) return;
    const { status } = await wire.sendOnce(attempt);
    if (status === 0) await pause(pauseMs);
  }
}

parentPort?.postMessage('sending', []);
await Promise.all(Array.from({ length: connections }, (_, at) => sendForever(at)));
