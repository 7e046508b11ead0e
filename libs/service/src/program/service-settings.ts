import type { SettingsOf } from '@app/settings';
import { errorSettings } from '../errors/error-settings';
import { httpSettings } from '../http/http-settings';
import { logSettings } from '../logs/log-settings';
import { metricsSettings } from '../metrics/metrics-settings';
import { overloadSettings } from '../overload/overload-settings';
import { listenSettings } from '../process/listen-settings';
import { rateLimitSettings } from '../rate-limit/rate-limit-settings';
import { docsSettings } from '../reference/docs-settings';
import { responseCheckSettings } from '../response-check/response-check-settings';
import { shutdownSettings } from '../shutdown/shutdown-settings';
import { tracingSettings } from '../tracing/tracing-settings';
import { workerSettings } from '../workers/worker-settings';

/** The settings of every program. Each setting is declared where it is used. */
export const serviceSettings = {
  ...listenSettings,
  ...httpSettings,
  ...workerSettings,
  ...overloadSettings,
  ...rateLimitSettings,
  ...docsSettings,
  ...responseCheckSettings,
  ...errorSettings,
  ...logSettings,
  ...metricsSettings,
  ...tracingSettings,
  ...shutdownSettings,
};

/** The values of {@link serviceSettings}. */
export type ServiceSettings = SettingsOf<typeof serviceSettings>;
