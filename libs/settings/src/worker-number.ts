/** The variable that tells each worker its number. */
export const workerNumberVariable = 'SLUICE_WORKER';

/** Returns the number of this process among the program's workers, from 1; `undefined` if it has no workers. */
export function workerNumber(): number | undefined {
  const { [workerNumberVariable]: text } = process.env;
  return text === undefined ? undefined : Number(text);
}

/** Returns whether this process does the work that a single worker does, such as deleting old rows or sending mails. */
export function isFirstWorker(): boolean {
  return (workerNumber() ?? 1) === 1;
}
