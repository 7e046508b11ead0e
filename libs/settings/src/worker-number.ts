/** The variable by which a program with several workers tells each its number. */
export const workerNumberVariable = 'SLUICE_WORKER';

/** The number of this process among the workers of its program, from 1; `undefined` if it has no workers. */
export function workerNumber(): number | undefined {
  const { [workerNumberVariable]: text } = process.env;
  return text === undefined ? undefined : Number(text);
}

/** Whether this process does what one of several workers does: deleting old rows, sending mails. */
export function isFirstWorker(): boolean {
  return (workerNumber() ?? 1) === 1;
}
