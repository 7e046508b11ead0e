import { setImmediate as nextTurn } from 'node:timers/promises';
import { isFirstWorker, StoreUnavailableError } from '@app/persistence';
import { accountsChannels } from '../channels';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Retentions } from '../retentions';
import type { SweepLease } from '../sweep-lease';

/** Work in batches: returns how many rows were changed, `limit` if there may be more. */
export type BatchTask = (limit: number) => Promise<number>;

/** How often a program asks for the lease. */
const CHECK_EVERY_MS = 60_000;
/** Rows per statement, so that its locks are short. */
const BATCH = 500;

/**
 * Deletes rows in the background after their retention period, and does other periodic work. At least every ten minutes one of
 * the programs with the same {@link SweepLease} does it.
 */
@Injectable()
export class Housekeeping implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Housekeeping');
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private isStopping = false;

  /** @param tasks done before the rules */
  constructor(
    private readonly lease: Pick<SweepLease, 'take' | 'renew' | 'complete'>,
    private readonly retentions: Pick<Retentions, 'state' | 'longest'>,
    private readonly tasks: readonly BatchTask[] = [],
  ) {}

  /** Sweeps at once, if it is due: programs that are restarted often would never run the rules otherwise. */
  onApplicationBootstrap(): void {
    if (!isFirstWorker()) return;
    this.start();
    this.timer = setInterval(() => this.start(), CHECK_EVERY_MS);
    this.timer.unref();
  }

  /** Clears the timer, and waits for the running statement. */
  async onModuleDestroy(): Promise<void> {
    this.isStopping = true;
    clearInterval(this.timer);
    await this.running;
  }

  /**
   * Does every task and applies every rule once, in batches, also if another program sweeps.
   *
   * @param mayContinue asked before each batch
   */
  async run(mayContinue: () => Promise<boolean> = always): Promise<void> {
    for (const task of this.tasks) await this.repeat(task, mayContinue);
    for (const { keepMs, deleteOlder } of await this.retentions.longest()) {
      const apply: BatchTask = async (limit) => {
        const deleted = await deleteOlder(new Date(Date.now() - keepMs), limit);
        if (accountsChannels.swept.hasSubscribers) accountsChannels.swept.publish(deleted);
        return deleted;
      };
      await this.repeat(apply, mayContinue);
    }
  }

  private async repeat(task: BatchTask, mayContinue: () => Promise<boolean>): Promise<void> {
    let done = BATCH;
    while (done >= BATCH && !this.isStopping && (await mayContinue())) {
      done = await task(BATCH);
      await nextTurn();
    }
  }

  private start(): void {
    this.running ??= this.runLogged().finally(() => (this.running = undefined));
  }

  /** An interrupted sweep is repeated by the program that asks first after its lease has ended. */
  private async sweepIfDue(): Promise<void> {
    await this.retentions.state();
    if (!(await this.lease.take())) return;
    await this.run(() => this.lease.renew());
    if (!this.isStopping) await this.lease.complete();
  }

  /** An unavailable store is logged elsewhere; the next sweep deletes the remaining rows. */
  private async runLogged(): Promise<void> {
    try {
      await this.sweepIfDue();
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) this.logger.error('housekeeping failed', error);
    }
  }
}

const always = async () => true;
