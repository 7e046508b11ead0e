/** A worker ended before it listened; it has written why. Aborts the start. */
export class WorkerStartError extends Error {
  override readonly name = 'WorkerStartError';

  /** @param worker its number, from 1 */
  constructor(readonly worker: number) {
    super(`Worker ${worker} did not start; it has written why.`);
  }
}

/** A worker did not end in time, or with an error, after SIGTERM. */
export class WorkerStopError extends Error {
  override readonly name = 'WorkerStopError';

  /** @param code its exit code; `null` if a signal ended it */
  constructor(
    readonly worker: number,
    readonly code: number | null,
  ) {
    super(
      `Worker ${worker} ended with ${code ?? 'a signal'} when it was stopped; its lines in the log say why.`,
    );
  }
}
