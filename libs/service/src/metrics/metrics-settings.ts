import { count, orOff } from '@app/settings';

/** Settings of the metrics. */
export const metricsSettings = {
  METRICS_PORT: orOff(count({ from: 0, to: 65_535 }))
    .prefault('off')
    .describe(
      'Port that serves `GET /metrics` without authentication, in the text format of Prometheus; `off` for none. Requests are not measured then, except by programs that have the route themselves (`admin`).',
    )
    .meta({ examples: ['9464'] }),
};
