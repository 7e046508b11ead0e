import { StoreUnavailableError } from '@app/persistence';
import { isFirstWorker } from '@app/settings';
import { Repeat, systemTiming, type Timing } from '@app/timers';
import { accountsChannels } from '../channels';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Retentions } from './retentions';
import type { JobLease } from './job-lease';

/** Work in batches: returns how many rows were changed, `limit` if there may be more. */
export type BatchTask = (limit: number) => Promise<number>;

/** How often a program tries to take the lease. */
const CHECK_EVERY_MS = 60_000;
/** Rows per statement, so that its locks are short. */
const BATCH = 500;

/**
 * Deletes rows in the background after their retention period, and runs other periodic tasks. At least every ten minutes one of
 * the programs with the same {@link JobLease} runs it.
 */
@Injectable()
export class Housekeeping implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Housekeeping');
  private readonly checks: Repeat;
  private isStopping = false;

  /** @param tasks run before the rules */
  constructor(
    private readonly lease: Pick<JobLease, 'take' | 'renew' | 'complete'>,
    private readonly retentions: Pick<Retentions, 'state' | 'longest'>,
    private readonly tasks: readonly BatchTask[] = [],
    private readonly timing: Timing = systemTiming,
  ) {
    this.checks = new Repeat(() => this.runLogged(), CHECK_EVERY_MS, timing);
  }

  /** Runs at once, if it is due: programs that are restarted often would never apply the rules otherwise. */
  onApplicationBootstrap(): void {
    if (isFirstWorker()) void this.checks.startNow();
  }

  /** Clears the timer, and waits for the running statement. */
  async onModuleDestroy(): Promise<void> {
    this.isStopping = true;
    await this.checks.stop();
  }

  /**
   * Runs every task and applies every rule once, in batches, also if another program does.
   *
   * @param mayContinue called before each batch
   */
  async run(mayContinue: () => Promise<boolean> = always): Promise<void> {
    for (const task of this.tasks) await this.repeat(task, mayContinue);
    for (const { keepMs, deleteOlder } of await this.retentions.longest()) {
      const apply: BatchTask = async (limit) => {
        const deleted = await deleteOlder(new Date(this.timing.wall() - keepMs), limit);
        if (accountsChannels.rowsDeleted.hasSubscribers) accountsChannels.rowsDeleted.publish(deleted);
        return deleted;
      };
      await this.repeat(apply, mayContinue);
    }
  }

  private async repeat(task: BatchTask, mayContinue: () => Promise<boolean>): Promise<void> {
    let done = BATCH;
    while (done >= BATCH && !this.isStopping && (await mayContinue())) {
      done = await task(BATCH);
      await this.timing.pause(0);
    }
  }

  /** An interrupted run is repeated by the first program that takes the lease after it has expired. */
  private async runIfDue(): Promise<void> {
    await this.retentions.state();
    if (!(await this.lease.take())) return;
    await this.run(() => this.lease.renew());
    if (!this.isStopping) await this.lease.complete();
  }

  /** An unavailable store is logged elsewhere; the next run deletes the remaining rows. */
  private async runLogged(): Promise<void> {
    try {
      await this.runIfDue();
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) this.logger.error('housekeeping failed', error);
    }
  }
}

const always = async () => true;
