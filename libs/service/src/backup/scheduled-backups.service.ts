import type { JobLease } from '@app/accounts';
import { isFirstWorker } from '@app/settings';
import { Repeat } from '@app/timers';
import { Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { BackupSchedule } from './back-up-if-due';
import type { BackupTarget } from './backups';
import { backupChannels, type ScheduledTo } from './channels';
import type { BackupPlace } from './place';

const checkEveryMs = 60_000;
/** As often as the lease is written, at most. */
const renewEveryMs = 15_000;

/** Makes backups by a schedule: one of the programs that share the lease. A failed one is repeated within ten minutes. */
export class ScheduledBackups implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Backup');
  private readonly stop = new AbortController();
  private readonly repeat = new Repeat(() => this.run(), checkEveryMs);

  constructor(
    private readonly place: BackupPlace,
    private readonly target: BackupTarget,
    private readonly schedule: BackupSchedule,
    private readonly lease: Pick<JobLease, 'take' | 'renew' | 'complete'>,
  ) {}

  /** Checks at once: a program that is restarted often would never make one otherwise. */
  onApplicationBootstrap(): void {
    if (!isFirstWorker()) return;
    backupChannels.scheduled.publish({ to: this.target.to, isContinuous: false } satisfies ScheduledTo);
    void this.repeat.startNow();
  }

  /** A backup that runs is aborted; the next program makes it. */
  async onModuleDestroy(): Promise<void> {
    this.stop.abort();
    await this.repeat.stop();
  }

  /** Makes a backup if it is due and no other program does. Does not throw. */
  check(): Promise<void> {
    return this.repeat.run();
  }

  private async run(): Promise<void> {
    const startedAt = performance.now();
    try {
      if (this.stop.signal.aborted || !(await this.lease.take())) return;
      const made = await this.backUpLeased();
      if (made)
        this.logger.log({ msg: 'backup completed', ...made, ms: Math.round(performance.now() - startedAt) });
    } catch (error) {
      if (this.stop.signal.aborted) return;
      const message = error instanceof Error ? error.message : String(error);
      backupChannels.failed.publish(message);
      this.logger.error({ msg: 'backup failed', to: this.target.to, err: error });
    }
  }

  private async backUpLeased() {
    const renewal = new Repeat(() => this.renew(), renewEveryMs);
    renewal.start();
    try {
      const { openBackups } = await import('./backups.js');
      const { backUpIfDue } = await import('./back-up-if-due.js');
      const backups = await openBackups(this.target);
      return await backUpIfDue(this.place, backups, this.schedule, { signal: this.stop.signal });
    } finally {
      await renewal.stop();
      await this.lease.complete();
    }
  }

  /** A failure is not the backup's: another program may take the lease over, and makes none that is not due. */
  private async renew(): Promise<void> {
    await this.lease.renew().catch(() => undefined);
  }
}
