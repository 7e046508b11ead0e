import { keyFiles } from '@app/accounts';
import { Database } from '@app/persistence';
import { refuseUnwritable } from '@app/service';
import type { EnvironmentOf } from '@app/settings';
import { type DynamicModule, type FactoryProvider, Module } from '@nestjs/common';
import type { backupSettings } from './backup-settings';
import type { BackupTarget } from './backups';
import { ContinuousBackups } from './continuous-backups.service';
import { isFolder } from './open-destination';
import { defaultUploads } from './place';
import { ScheduledBackups } from './scheduled-backups.service';

/** The settings for backups, and for the files that they include. */
export type BackupEnvironment = EnvironmentOf<typeof backupSettings> &
  Readonly<Parameters<typeof keyFiles>[0]> & { readonly UPLOAD_DIR?: string };

/** Makes the backups for `BACKUP_SCHEDULE` or `BACKUP_CONTINUOUS` in `BACKUP_TO`. The module is empty unless they are set. */
@Module({})
export class BackupModule {
  static forRoot(settings: BackupEnvironment): DynamicModule {
    const { BACKUP_TO: to, BACKUP_SCHEDULE: every } = settings;
    const providers = to === undefined || every === false ? [] : [scheduled(settings, to, every)];
    return { module: BackupModule, providers };
  }
}

/** The number of backups that are kept whatever their age, so that a program that was off for months still has a choice. */
const leastBackups = 7;

function scheduled(settings: BackupEnvironment, to: string, every: number): FactoryProvider {
  const { BACKUP_KEEP_FOR: keepFor } = settings;
  const target: BackupTarget = { to, recipients: settings.BACKUP_RECIPIENTS };
  const schedule = {
    everyMs: every * 1000,
    keep: leastBackups,
    keepMs: keepFor ? keepFor * 1000 : undefined,
  };
  return {
    provide: ScheduledBackups,
    inject: [Database],
    useFactory: async (db: Database) => {
      if (isFolder(to)) await refuseUnwritable('BACKUP_TO', to);
      const place = { db, uploads: settings.UPLOAD_DIR ?? defaultUploads, keys: keyFiles(settings) };
      if (settings.BACKUP_CONTINUOUS) return new ContinuousBackups(place, target, schedule);
      return new ScheduledBackups(place, target, schedule);
    },
  };
}
