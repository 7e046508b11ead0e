import { setTimeout as pause } from 'node:timers/promises';
import { isBusy } from './sqlite-errors';
import { type WrittenFile } from './write-group';

/** The delay between two attempts to take a lock that a different process holds. It is random to avoid lockstep. */
const RETRY_DELAY_MS = { min: 2, max: 20 };

/**
 * Repeats `work` while a different process holds the required lock.
 *
 * @param deadline a `performance.now()` time
 * @throws the translated error
 */
export async function retryWhileBusy<T>(
  store: Pick<WrittenFile, 'translate'>,
  deadline: number,
  work: () => T,
): Promise<T> {
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw store.translate(error);
    }
    await pause(RETRY_DELAY_MS.min + Math.random() * (RETRY_DELAY_MS.max - RETRY_DELAY_MS.min));
  }
}
