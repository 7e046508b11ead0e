import { setTimeout as pause } from 'node:timers/promises';
import { StoreUnavailableError } from '../../errors';
import { isWorthRetrying } from './postgres-errors';

/** Exponential backoff with full jitter: upper bounds of the first and of every delay. */
const FIRST_DELAY_MS = 5;
const MAX_DELAY_MS = 250;

/**
 * Runs `work` again after a serialization failure or a deadlock.
 *
 * @throws {StoreUnavailableError} if it kept failing for `waitMs`
 */
export async function retryConflicts<T>(waitMs: number, work: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + waitMs;
  for (let maxDelayMs = FIRST_DELAY_MS; ; maxDelayMs = Math.min(maxDelayMs * 2, MAX_DELAY_MS)) {
    try {
      return await work();
    } catch (error) {
      if (!isWorthRetrying(error)) throw error;
      if (performance.now() > deadline)
        throw new StoreUnavailableError('too many serialization failures', { cause: error });
    }
    await pause(Math.random() * maxDelayMs);
  }
}
