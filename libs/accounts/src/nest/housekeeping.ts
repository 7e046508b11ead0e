import { setImmediate as breathe } from 'node:timers/promises';
import { StoreUnavailableError } from '@app/persistence';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';

/** Something that is kept for a while. */
export interface Sweep {
  /** How long, in milliseconds. */
  readonly keepMs: number;
  /** Forgets some of what is older, at most `limit`, and says how many. */
  readonly forget: (before: Date, limit: number) => Promise<number>;
}

const EVERY_MS = 10 * 60 * 1000;
/** Rows that one statement takes away: few enough that nobody waits for it. */
const BATCH = 500;

/** Forgets in the background what was kept long enough. Several programs on one store do it by turns, or twice. */
@Injectable()
export class Housekeeping implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Housekeeping');
  private timer: NodeJS.Timeout | undefined;
  private sweeping: Promise<void> | undefined;
  private isEnding = false;

  constructor(private readonly sweeps: readonly Sweep[]) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.begin(), EVERY_MS);
    this.timer.unref();
  }

  /** Leaves no timer behind, and no statement under way. */
  async onModuleDestroy(): Promise<void> {
    this.isEnding = true;
    clearInterval(this.timer);
    await this.sweeping;
  }

  /** Sweeps once, a batch at a time, until nothing is left to sweep or the program ends. */
  async sweep(): Promise<void> {
    for (const { keepMs, forget } of this.sweeps) {
      let swept = BATCH;
      while (swept === BATCH && !this.isEnding) {
        swept = await forget(new Date(Date.now() - keepMs), BATCH);
        await breathe();
      }
    }
  }

  private begin(): void {
    this.sweeping ??= this.sweepQuietly().finally(() => (this.sweeping = undefined));
  }

  /** A store that is away is told of by all others; what was not swept now is swept next time. */
  private async sweepQuietly(): Promise<void> {
    try {
      await this.sweep();
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) this.logger.error('Sweeping failed', error);
    }
  }
}
