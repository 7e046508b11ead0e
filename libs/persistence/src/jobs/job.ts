/** Recurring work that a single program on a database runs at a time. */
export interface Job {
  /** The job name, which is also the lease name. Programs with the same job name share the lease. */
  readonly name: string;
  /**
   * The time in milliseconds between a run's end and the next run in any program; default seven minutes. Each program checks once
   * a minute.
   */
  readonly every?: number;
  /**
   * The times of the runs in place of `every`, such as `30 3 * * *`: minute, hour, day, month and weekday. A run starts within a
   * minute. A time that passes during a run is left out. A time that passes while no program runs is made up for at the next start.
   */
  readonly cron?: string;
  /** The time zone of `cron`, such as `Europe/Vienna`; default `UTC`. */
  readonly timeZone?: string;
  /** Does the work. It must be safe to run twice at the same time, which happens if the database clock is set forward. */
  readonly run: (run: JobRun) => Promise<void>;
  /** Writes a program's data, such as its settings, before it checks whether the job is due. */
  readonly announce?: () => Promise<void>;
}

/** A {@link Job} run. */
export interface JobRun {
  /** The signal that is aborted when the program ends. */
  readonly signal: AbortSignal;
  /**
   * Renews the lease. Returns `false` if a different program has taken it over or this program is ending. Call it at least every
   * 45 seconds.
   */
  readonly mayContinue: () => Promise<boolean>;
  /** Repeats work while it may continue. @param work returns the number of changed rows: `limit` if there may be more */
  readonly inBatches: (work: (limit: number) => Promise<number>) => Promise<void>;
}
