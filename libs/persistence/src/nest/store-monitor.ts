import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Database } from '../database';
import { type StoreHealth } from '../dialects/store-health';
import { StoreFaultError } from '../errors';

/** A fault is detected within a second even if a check takes some time. */
const CHECK_EVERY_MS = 500;

/** Checks the database while the program runs, and logs each change of its health once, with the cause. */
@Injectable()
export class StoreMonitor implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('Store');
  private timer: NodeJS.Timeout | undefined;
  private logged: StoreHealth = { state: 'ok' };

  constructor(private readonly db: Database) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.check(), CHECK_EVERY_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private async check(): Promise<void> {
    const health = await this.db.check();
    const { state, error } = this.logged;
    if (this.timer === undefined) return;
    if (health.state === state && health.error?.message === error?.message) return;
    this.logged = health;
    this.log(health);
  }

  private log({ state, error }: StoreHealth): void {
    if (error === undefined) this.logger.log('store available');
    else if (error instanceof StoreFaultError) this.logger.fatal(error.message);
    else {
      const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
      this.logger.error(`${state === 'read-only' ? 'store takes no writes: ' : ''}${error.message}${cause}`);
    }
  }
}
