import type { Listening } from '../lifecycle/banner';
import { listenForMetrics } from '../lifecycle/listen-for-metrics';
import { surviveSignals } from '../lifecycle/other-signals';
import { exitOnUncaughtException, shutdownDeadlineMs, shutDownOnSignals } from '../lifecycle/process-exit';
import type { OpenLogs } from '../logs/open-logs';
import { serveMetrics } from '../metrics/metrics-server';
import type { SettingsOf } from '../settings/declaration';
import type { serviceSettings } from '../settings/service-settings';
import { Supervisor } from './supervisor';

/** Workers end by their own deadline before that of the process which waits for them. */
const marginMs = 500;

/**
 * Runs the workers of a program in processes of their own, and shuts them down on a signal.
 *
 * @returns what the program says about itself when all of them listen
 * @throws WorkerStartError, CannotListenError
 */
export async function runWorkers(
  settings: SettingsOf<typeof serviceSettings>,
  logs: OpenLogs,
): Promise<Listening> {
  const { WORKERS: workers, DRAIN_DELAY } = settings;
  const supervisor = new Supervisor(workers, logs);
  exitOnUncaughtException(logs);
  surviveSignals(logs);
  shutDownOnSignals(() => supervisor.stop(), logs, shutdownDeadlineMs + DRAIN_DELAY + marginMs);
  const listening = await supervisor.start();
  const metrics = await listenForMetrics(
    async (port, host) => (await serveMetrics(() => supervisor.metrics(), port, host)).port,
    settings,
  );
  return { ...listening, workers, metrics };
}
