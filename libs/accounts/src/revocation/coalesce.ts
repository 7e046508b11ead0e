/**
 * Combines calls: one that comes while `work` runs causes one more run afterwards, however many come.
 *
 * @param work must not reject
 * @returns starts `work`; resolves when no run is pending
 */
export function coalesce(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let isPending = false;
  const runAll = async (): Promise<void> => {
    while (isPending) {
      isPending = false;
      await work();
    }
    running = undefined;
  };
  return () => {
    isPending = true;
    running ??= runAll();
    return running;
  };
}
