import { setTimeout as pause } from 'node:timers/promises';
import { StoreUnavailableError } from '../../errors';
import { FifoMutex } from '../fifo-mutex';
import { isWorthRetrying } from './postgres-errors';

/** The upper bounds for the first delay and for every delay: exponential backoff with full jitter. */
const FIRST_DELAY_MS = 5;
const MAX_DELAY_MS = 250;
/**
 * The longest wait for a turn. After it, the transaction is retried in parallel with the current retry, which may be waiting for
 * a lock.
 */
const MAX_TURN_MS = 1_000;

/** Retries a database's conflicting transactions in sequence. Retried at once, they would conflict with each other again. */
export class ConflictRetries {
  private readonly turns = new FifoMutex();

  /**
   * Runs `work`, and again after a serialization failure or a deadlock.
   *
   * @throws {StoreUnavailableError} if it kept failing for `waitMs`
   */
  async run<T>(waitMs: number, work: () => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    try {
      return await work();
    } catch (error) {
      if (!isWorthRetrying(error)) throw error;
    }
    const hasTurn = await this.turns.acquire(Math.min(waitMs, MAX_TURN_MS));
    try {
      return await retryConflicts(waitMs - (performance.now() - startedAt), work);
    } finally {
      if (hasTurn) this.turns.release();
    }
  }
}

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
