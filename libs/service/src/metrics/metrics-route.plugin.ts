import { definePlugin, type Plugin } from '../plugin/define.plugin';
import { MetricsController } from './metrics.controller';

/** The plugin that serves the metrics at `GET /metrics`, for administrators and keys with the scope `metrics:read`. */
export function metricsRoute(): Plugin<{}> {
  return definePlugin({ name: 'metrics-route', controllers: [MetricsController] });
}
