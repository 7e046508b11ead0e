import { definePlugin } from '@app/service';
import { backupCommands } from './backup-commands';
import { type BackupEnvironment, BackupModule } from './backup.module';
import { backupSettings, continuousBackups } from './backup-settings';

/** The plugin that backs up the store, the uploaded files and the keys, by commands and by `BACKUP_SCHEDULE`. */
export function backup() {
  return definePlugin({
    name: 'backup',
    settings: backupSettings,
    check: continuousBackups,
    commands: backupCommands,
    modules: (settings: BackupEnvironment) => [BackupModule.forRoot(settings)],
  });
}
