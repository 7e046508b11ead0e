import { isFirstWorker } from '@app/settings';
import { Repeat } from '../timers/repeat';
import { systemTiming, type Timing } from '../timers/timing';
import { Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { type Database } from '../database/database';
import { StoreUnavailableError } from '../errors';
import { type Job, type JobRun } from './job';
import { Lease } from './lease';

/** The interval at which a program tries to take the lease. */
const CHECK_EVERY_MS = 60_000;
/** The rows per statement, so that its locks are short. */
const BATCH = 500;
/** The most characters of an error that are stored. */
const LONGEST_FAILURE = 200;

/** Runs a {@link Job} at intervals or at times. A single program on a database runs it at a time. */
export class JobRunner implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Housekeeping');
  private readonly job: Job;
  private readonly lease: Pick<Lease, 'take' | 'renew' | 'complete'>;
  private readonly timing: Timing;
  private readonly checks: Repeat;
  private readonly stop = new AbortController();

  constructor(
    db: Database,
    job: Job,
    lease: Pick<Lease, 'take' | 'renew' | 'complete'> = new Lease(db, job.name, job),
    timing: Timing = systemTiming,
  ) {
    this.job = job;
    this.lease = lease;
    this.timing = timing;
    this.checks = new Repeat(() => this.runLogged(), CHECK_EVERY_MS, timing);
  }

  /** Runs at once, if it is due: programs that are restarted often would never run the job otherwise. */
  onApplicationBootstrap(): void {
    if (isFirstWorker()) void this.checks.startNow();
  }

  /** Clears the timer, and waits for the running statement. */
  async onModuleDestroy(): Promise<void> {
    this.stop.abort();
    await this.checks.stop();
  }

  /** Runs the job if it is due and no other program is running it. Errors are handled. */
  check(): Promise<void> {
    return this.checks.run();
  }

  /** Runs the job now, even if a different program is running it. */
  run(): Promise<void> {
    return this.job.run(this.runWhile(async () => true));
  }

  /** An interrupted run is repeated by the first program that takes the lease after it has expired. */
  private async runIfDue(): Promise<void> {
    await this.job.announce?.();
    if (this.stop.signal.aborted || !(await this.lease.take())) return;
    const failure = await this.failureOf(this.runWhile(() => this.lease.renew()));
    if (!this.stop.signal.aborted) await this.lease.complete(failure);
  }

  /** Runs the job. @returns the error, which is logged; `null` for a success. @throws StoreUnavailableError */
  private async failureOf(run: JobRun): Promise<string | null> {
    try {
      await this.job.run(run);
      return null;
    } catch (error) {
      if (error instanceof StoreUnavailableError) throw error;
      this.logger.error('housekeeping failed', error);
      return String(error).slice(0, LONGEST_FAILURE);
    }
  }

  private runWhile(isHeld: () => Promise<boolean>): JobRun {
    const { signal } = this.stop;
    const mayContinue = async () => !signal.aborted && (await isHeld());
    const inBatches: JobRun['inBatches'] = async (work) => {
      let done = BATCH;
      while (done >= BATCH && (await mayContinue())) {
        done = await work(BATCH);
        await this.timing.pause(0);
      }
    };
    return { signal, mayContinue, inBatches };
  }

  /** An unavailable store is logged elsewhere; the next run does the rest. */
  private async runLogged(): Promise<void> {
    try {
      await this.runIfDue();
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) this.logger.error('housekeeping failed', error);
    }
  }
}
