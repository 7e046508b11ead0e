/** Work that one of the programs on a database runs at a time, again and again. */
export interface Job {
  /** Names the lease: programs with a job of this name share it. */
  readonly name: string;
  /** Milliseconds from the end of a run to the next, in whatever program; default seven minutes. Each program looks once a minute. */
  readonly every?: number;
  /** Does the work. It must be safe to run twice at the same time, which happens if the clock of the database is set forward. */
  readonly run: (run: JobRun) => Promise<void>;
  /** What each program writes before it looks whether the job is due, such as its settings. */
  readonly announce?: () => Promise<void>;
}

/** A run of a {@link Job}. */
export interface JobRun {
  /** Aborted when the program ends. */
  readonly signal: AbortSignal;
  /** Renews the lease: `false` if another program has taken it over, or this one ends. To be asked at least every 45 seconds. */
  readonly mayContinue: () => Promise<boolean>;
  /** Repeats work while it may go on. @param work returns how many rows it has changed: `limit` if there may be more */
  readonly inBatches: (work: (limit: number) => Promise<number>) => Promise<void>;
}
