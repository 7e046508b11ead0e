import { isFirstWorker } from '@app/settings';
import { Repeat } from '@app/persistence';
import {
  type BeforeApplicationShutdown,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import type { BackupSchedule } from './back-up-if-due';
import type { BackupTarget } from './backups';
import { backupChannels, type ScheduledTo } from './channels';
import type { ContinuousBackup } from './continuous-backup';
import type { BackupPlace } from './place';

const readEveryMs = 1_000;
/** The interval between sends. With the second between reads and the time for sending, the loss is below ten seconds. */
const sendEveryMs = 3_000;
const backUpEveryMs = 60_000;
/** The pause after a failure, and while a different program makes the continuous backup. */
const retryAfterMs = 5_000;

/** Runs {@link ContinuousBackup} while the program runs. A failure is logged once, with its reason, until it has ended. */
export class ContinuousBackups implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Backup');
  private readonly stop = new AbortController();
  /** Repeats the tick without awaiting it, so that the WAL is read while a backup is made. */
  private readonly repeat = new Repeat(() => void this.tick(), readEveryMs);
  private backup: ContinuousBackup | undefined;
  private readonly due = new Map<string, number>();
  private readonly running = new Set<string>();
  private failure: string | undefined;

  constructor(
    private readonly place: BackupPlace,
    private readonly target: BackupTarget,
    private readonly schedule: BackupSchedule,
  ) {}

  /** Starts before the program writes, because a write could restart the WAL that the last program left. */
  onModuleInit(): void {
    if (!isFirstWorker()) return;
    backupChannels.scheduled.publish({ to: this.target.to, isContinuous: true } satisfies ScheduledTo);
    void this.tick();
  }

  onApplicationBootstrap(): void {
    if (isFirstWorker()) this.repeat.start();
  }

  /** Sends the changes that were committed until now. The next program sends changes that are committed during the drain. */
  async beforeApplicationShutdown(): Promise<void> {
    void this.repeat.stop();
    this.stop.abort();
    if (!this.backup || !(await this.done('read', () => this.backup?.read()))) return;
    await this.done('send', () => this.backup?.send());
  }

  private async tick(): Promise<void> {
    const isFollowing = await this.every('read', readEveryMs / 2, async () => (await this.open()).read());
    if (!isFollowing || this.stop.signal.aborted) {
      if (isFollowing === false) this.due.set('read', performance.now() + retryAfterMs);
      return;
    }
    if (this.backup?.isDue) this.due.delete('send');
    await Promise.all([
      this.every('send', sendEveryMs, () => this.backup?.send()),
      this.every('backup', backUpEveryMs, () => this.backUp()),
    ]);
  }

  private async open(): Promise<ContinuousBackup> {
    const { openBackups } = await import('./backups.js');
    const { ContinuousBackup: Continuous } = await import('./continuous-backup.js');
    this.backup ??= new Continuous(this.place, await openBackups(this.target), this.schedule);
    return this.backup;
  }

  private async backUp(): Promise<void> {
    const startedAt = performance.now();
    const backup = await this.backup?.backUpIfDue(this.stop.signal);
    if (backup)
      this.logger.log({ msg: 'backup completed', ...backup, ms: Math.round(performance.now() - startedAt) });
  }

  /** Runs work at an interval. @returns `undefined` if it is not due, still runs, or failed */
  private async every<T>(name: string, ms: number, work: () => T | Promise<T>): Promise<T | undefined> {
    if (this.running.has(name) || performance.now() < (this.due.get(name) ?? 0)) return undefined;
    this.due.set(name, performance.now() + ms);
    return this.done(name, work);
  }

  private async done<T>(name: string, work: () => T | Promise<T>): Promise<T | undefined> {
    this.running.add(name);
    try {
      const result = await work();
      if (this.failure === name) this.resume();
      return result;
    } catch (error) {
      this.due.set(name, performance.now() + retryAfterMs);
      if (!this.stop.signal.aborted) this.fail(name, error);
      return undefined;
    } finally {
      this.running.delete(name);
    }
  }

  private fail(name: string, error: unknown): void {
    backupChannels.failed.publish(error instanceof Error ? error.message : String(error));
    if (this.failure === undefined)
      this.logger.error({ msg: 'backup failed', step: name, to: this.target.to, err: error });
    this.failure ??= name;
  }

  private resume(): void {
    this.failure = undefined;
    this.logger.log({ msg: 'backup resumed', to: this.target.to });
  }
}
