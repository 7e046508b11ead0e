import type { Database } from '@app/persistence';
import { Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { rateLimitChannels } from './channels';
import { CountExchange, type RateCounts } from './count-exchange';
import { RateCountsStore } from './rate-counts.store';
import type { RateLimitSettings } from './rate-limit-settings';
import { RateLimits } from './rate-limits';

/** The rate limits of a program, counted together with the other programs. */
export class RateLimiting implements OnApplicationBootstrap, OnModuleDestroy {
  readonly limits: RateLimits;
  private readonly exchanged: CountExchange | undefined;

  /** @param counts without them, each program counts alone */
  private constructor(usual: RateLimitSettings['RATE_LIMIT'], counts: RateCounts | undefined) {
    this.limits = new RateLimits(usual || undefined, () => Date.now());
    this.exchanged = counts && new CountExchange(this.limits, counts, reportFailure);
  }

  /** @param db has the counts, unless the settings name a server */
  static async open(settings: RateLimitSettings, db: Database | undefined): Promise<RateLimiting> {
    const { RATE_LIMIT, RATE_LIMIT_STORE } = settings;
    if (RATE_LIMIT_STORE === 'store') return new RateLimiting(RATE_LIMIT, db && new RateCountsStore(db));
    const { ValkeyCounts } = await import('./valkey-counts.js');
    return new RateLimiting(RATE_LIMIT, new ValkeyCounts(RATE_LIMIT_STORE, noteServer));
  }

  /** Exchanges the counts with those of the other programs once, now. */
  async exchange(): Promise<void> {
    await this.exchanged?.run();
  }

  onApplicationBootstrap(): void {
    this.exchanged?.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.exchanged?.stop();
  }
}

const logger = new Logger('RateLimiting');

function reportFailure(error: unknown): void {
  logger.error('rate limit synchronization failed', error);
}

/** @param error `undefined` when it is available again */
function noteServer(error: Error | undefined): void {
  rateLimitChannels.serverUp.publish(error === undefined);
  if (error === undefined) return logger.log('rate limit store available');
  const { code = error.message }: NodeJS.ErrnoException = error;
  logger.error(
    `rate limit store unavailable, each program limits alone: ${code}. Check the server, and the URL of RATE_LIMIT_STORE`,
  );
}
