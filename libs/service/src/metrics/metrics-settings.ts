import { count, orOff } from '@app/settings';

/** Settings for the metrics. */
export const metricsSettings = {
  METRICS_PORT: orOff(count({ from: 0, to: 65_535 }))
    .prefault('off')
    .describe(
      'Port that serves `GET /metrics` without authentication, in the Prometheus text format. With `off`, only programs with a metrics route of their own (`admin`) measure requests.',
    )
    .meta({ examples: ['9464'] }),
};
