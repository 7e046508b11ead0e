import { type Rate } from '@app/settings';
import type { Database } from '@app/persistence';
import { Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { CountExchange } from './count-exchange';
import { RateCountsStore } from './rate-counts.store';
import { RateLimits } from './rate-limits';

/** The rate limits of a program, counted together with the other programs on its database. */
export class RateLimiting implements OnApplicationBootstrap, OnModuleDestroy {
  readonly limits: RateLimits;
  private readonly counts: CountExchange | undefined;

  /**
   * @param usual of the settings
   * @param db    without one, each program counts alone
   */
  constructor(usual: Rate | undefined, db: Database | undefined) {
    this.limits = new RateLimits(usual, () => Date.now());
    const logger = new Logger('RateLimiting');
    const report = (error: unknown) => logger.error('rate limit synchronization failed', error);
    this.counts = db && new CountExchange(this.limits, new RateCountsStore(db), report);
  }

  /** Exchanges the counts with those of the other programs once, now. */
  async exchange(): Promise<void> {
    await this.counts?.run();
  }

  onApplicationBootstrap(): void {
    this.counts?.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.counts?.stop();
  }
}
