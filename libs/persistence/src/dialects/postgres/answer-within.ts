/**
 * Waits for an answer from the network, and not longer.
 *
 * @returns `undefined` after `timeoutMs`; what the answer is then, or why there is none, is ignored
 */
export function answerWithin<T>(timeoutMs: number, answer: Promise<T>): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    // After a long turn of the event loop timers run first, and the answer may have arrived: it is read before `setImmediate`.
    const timer = setTimeout(() => setImmediate(() => resolve(undefined)), timeoutMs);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
