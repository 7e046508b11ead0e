import type { Listening } from '../process/banner';
import { handleOperatorSignals } from '../process/operator-signals';
import { exitOnUncaughtException, shutdownDeadlineMs, shutDownOnSignals } from '../process/process-exit';
import type { OpenLogs } from '../logs/open-logs';
import { serveMetrics } from '../metrics/serve-metrics';
import type { SettingsOf } from '@app/settings';
import type { metricsSettings } from '../metrics/metrics-settings';
import type { listenSettings } from '../process/listen-settings';
import { drainDelayOf, type shutdownSettings } from '../shutdown/shutdown-settings';
import { Supervisor } from './supervisor';
import { beatsInTimeout } from '../process/worker';
import type { workerSettings } from './worker-settings';

/** The time by which the deadline for workers precedes the deadline for the process that waits for them. */
const marginMs = 500;

/**
 * Runs the workers of a program in their own processes, and shuts them down on a signal.
 *
 * @returns the facts that the program reports when all workers listen
 * @throws WorkerStartError, CannotListenError
 */
export async function runWorkers(
  settings: SettingsOf<
    typeof workerSettings & typeof listenSettings & typeof metricsSettings & typeof shutdownSettings
  >,
  logs: OpenLogs,
): Promise<Listening> {
  const { WORKERS: workers, WORKER_TIMEOUT: timeoutSeconds } = settings;
  const supervisor = new Supervisor((timeoutSeconds * 1000) / beatsInTimeout, logs);
  exitOnUncaughtException(logs);
  handleOperatorSignals(logs, (signal) => supervisor.signal(signal));
  shutDownOnSignals(() => supervisor.stop(), logs, shutdownDeadlineMs + drainDelayOf(settings) + marginMs);
  const listening = await supervisor.start(workers);
  const metrics = await serveMetrics(() => supervisor.metrics(), settings);
  return { ...listening, workers, metrics: metrics?.url };
}
