import { systemTiming, type Timing } from './timing';

/**
 * Waits for a response for a limited time.
 *
 * @returns `undefined` after `timeoutMs`; a later response or error is ignored
 */
export function settledWithin<T>(
  timeoutMs: number,
  response: Promise<T>,
  timing: Timing = systemTiming,
): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    // After a long iteration of the event loop timers run first, although the response may have arrived: it is read
    // before the next iteration.
    const clear = timing.every(timeoutMs, () => void timing.pause(0).then(() => resolve(undefined)));
    response.then(resolve, reject).finally(clear);
  });
}
