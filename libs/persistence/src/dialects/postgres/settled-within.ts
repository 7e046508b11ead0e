/**
 * Waits for a response from the network, for a limited time.
 *
 * @returns `undefined` after `timeoutMs`; a later response or error is ignored
 */
export function settledWithin<T>(timeoutMs: number, response: Promise<T>): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    // After a long iteration of the event loop timers run first, although the response may have arrived: it is read
    // before `setImmediate`.
    const timer = setTimeout(() => setImmediate(() => resolve(undefined)), timeoutMs);
    response.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
