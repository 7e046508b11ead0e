/**
 * Shares work among callers. Calls during a run share the next run, which begins after them.
 *
 * @returns a function that does the work; its result was read after the call
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
