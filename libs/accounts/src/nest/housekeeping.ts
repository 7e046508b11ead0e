import { setImmediate as nextTurn } from 'node:timers/promises';
import { isFirstWorker, StoreUnavailableError } from '@app/persistence';
import { accountsChannels } from '../channels';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';

/** Rows that are deleted after a retention period. */
export interface RetentionRule {
  readonly keepMs: number;
  /** Deletes at most `limit` older rows, and returns their number. */
  readonly deleteOlder: (before: Date, limit: number) => Promise<number>;
}

const INTERVAL_MS = 10 * 60 * 1000;
/** Rows per statement, so that its locks are short. */
const BATCH = 500;

/** Deletes rows in the background after their retention period. Safe in several processes. */
@Injectable()
export class Housekeeping implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Housekeeping');
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private isStopping = false;

  constructor(private readonly rules: readonly RetentionRule[]) {}

  /** At once: programs that are restarted often would never run the rules otherwise. */
  onApplicationBootstrap(): void {
    if (!isFirstWorker()) return;
    this.start();
    this.timer = setInterval(() => this.start(), INTERVAL_MS);
    this.timer.unref();
  }

  /** Clears the timer, and waits for the running statement. */
  async onModuleDestroy(): Promise<void> {
    this.isStopping = true;
    clearInterval(this.timer);
    await this.running;
  }

  /** Applies every rule once, in batches. */
  async run(): Promise<void> {
    for (const { keepMs, deleteOlder } of this.rules) {
      let deleted = BATCH;
      while (deleted === BATCH && !this.isStopping) {
        deleted = await deleteOlder(new Date(Date.now() - keepMs), BATCH);
        if (accountsChannels.swept.hasSubscribers) accountsChannels.swept.publish(deleted);
        await nextTurn();
      }
    }
  }

  private start(): void {
    this.running ??= this.runLogged().finally(() => (this.running = undefined));
  }

  /** An unavailable store is logged elsewhere; the next run deletes the remaining rows. */
  private async runLogged(): Promise<void> {
    try {
      await this.run();
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) this.logger.error('housekeeping failed', error);
    }
  }
}
