import type { Count } from './count';
import type { Metrics } from './metrics';

/** Counts the workers of a program that were started again. */
export function countRestarts(metrics: Metrics): Count {
  return metrics.counter('sluice_worker_restarts_total', 'Workers that exited and were started again.');
}
