import type { Rate } from '@app/contract';
import type { Database } from '@app/persistence';
import { Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { GatherCounts } from '../rate-limit/gather-counts';
import { RateCountsStore } from '../rate-limit/rate-counts.store';
import { RateLimits } from '../rate-limit/rate-limits';

/** The rate limits of a program, counted together with the other programs on its database. */
export class RateLimiting implements OnApplicationBootstrap, OnModuleDestroy {
  readonly limits: RateLimits;
  private readonly gather: GatherCounts | undefined;

  /**
   * @param usual of the settings
   * @param db    without one, each program counts alone
   */
  constructor(usual: Rate | undefined, db: Database | undefined) {
    this.limits = new RateLimits(usual, () => Date.now());
    const logger = new Logger('RateLimiting');
    const report = (error: unknown) => logger.error('gathering rate limits failed', error);
    this.gather = db && new GatherCounts(this.limits, new RateCountsStore(db), report);
  }

  /** Exchanges the counts with those of the other programs once, now. */
  async exchange(): Promise<void> {
    await this.gather?.run();
  }

  onApplicationBootstrap(): void {
    this.gather?.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.gather?.stop();
  }
}
