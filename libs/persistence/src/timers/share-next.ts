/**
 * Shares work among callers: those that come while it is done share the next time, which begins after their calls.
 *
 * @returns does the work; what it returns was read after the call
 */
export function shareNext<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  let next: Promise<T> | undefined;
  const start = (): Promise<T> => {
    next = undefined;
    const result = work();
    // Callers between the end of this one and the next belong to the next.
    const end = () => void (running === result && next === undefined && (running = undefined));
    result.then(end, end);
    return (running = result);
  };
  return () => {
    if (running === undefined) return start();
    return (next ??= running.then(start, start));
  };
}
