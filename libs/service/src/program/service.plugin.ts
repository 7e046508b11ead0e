import { BackupModule } from '../backup/backup.module';
import { MetricsController } from '../metrics/metrics.controller';
import { definePlugin, type Plugin } from '../plugin/define.plugin';

/** The plugin that backs up the store, the uploaded files and the keys, as `BACKUP_SCHEDULE` and `BACKUP_CONTINUOUS` say. */
export function backup(): Plugin<{}> {
  return definePlugin({
    name: 'backup',
    modules: (settings: Parameters<typeof BackupModule.forRoot>[0]) => [BackupModule.forRoot(settings)],
  });
}

/** The plugin that serves the metrics at `GET /metrics`, for administrators and keys with the scope `metrics:read`. */
export function metricsRoute(): Plugin<{}> {
  return definePlugin({ name: 'metrics-route', controllers: [MetricsController] });
}
