import { type JobRun, JobRunner, Repeat } from '@app/persistence';
import { isFirstWorker } from '@app/settings';
import { Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { BackupSchedule } from './back-up-if-due';
import type { BackupTarget } from './backups';
import { backupChannels, type ScheduledTo } from './channels';
import type { BackupPlace } from './place';

/** The shortest interval at which the lease is written. */
const renewEveryMs = 15_000;

/** Makes backups by a schedule. A single program on a database makes them, and repeats a failed backup within ten minutes. */
export class ScheduledBackups implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Backup');
  private readonly place: BackupPlace;
  private readonly target: BackupTarget;
  private readonly schedule: BackupSchedule;
  private readonly job: JobRunner;

  constructor(place: BackupPlace, target: BackupTarget, schedule: BackupSchedule) {
    this.place = place;
    this.target = target;
    this.schedule = schedule;
    this.job = new JobRunner(place.db, { name: 'backup', run: (run) => this.run(run) });
  }

  /** Checks at once, so that a program that restarts often makes backups too. */
  onApplicationBootstrap(): void {
    if (isFirstWorker())
      backupChannels.scheduled.publish({ to: this.target.to, isContinuous: false } satisfies ScheduledTo);
    this.job.onApplicationBootstrap();
  }

  /** Aborts a running backup, which the next program makes. */
  async onModuleDestroy(): Promise<void> {
    await this.job.onModuleDestroy();
  }

  /** Makes a backup if it is due, and no other program makes it. Errors are logged. */
  check(): Promise<void> {
    return this.job.check();
  }

  private async run(run: JobRun): Promise<void> {
    const startedAt = performance.now();
    try {
      const backup = await this.backUp(run);
      if (backup)
        this.logger.log({
          msg: 'backup completed',
          ...backup,
          ms: Math.round(performance.now() - startedAt),
        });
    } catch (error) {
      if (run.signal.aborted) return;
      const message = error instanceof Error ? error.message : String(error);
      backupChannels.failed.publish(message);
      this.logger.error({ msg: 'backup failed', to: this.target.to, err: error });
    }
  }

  private async backUp({ signal, mayContinue }: JobRun) {
    // A failure is not the backup's: another program may take the lease over, and makes none that is not due.
    const renewal = new Repeat(
      () =>
        mayContinue().then(
          () => undefined,
          () => undefined,
        ),
      renewEveryMs,
    );
    renewal.start();
    try {
      const { openBackups } = await import('./backups.js');
      const { backUpIfDue } = await import('./back-up-if-due.js');
      const backups = await openBackups(this.target);
      return await backUpIfDue(this.place, backups, this.schedule, { signal });
    } finally {
      await renewal.stop();
    }
  }
}
