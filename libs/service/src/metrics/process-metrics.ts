import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Count, Metrics } from './metrics';

const eventLoopResolutionMs = 10;
const nanoseconds = 1e-9;
const microseconds = 1e-6;

/** Describes this process: CPU time, memory, the delay of its event loop. @returns stops measuring */
export function measureProcess(metrics: Metrics): () => void {
  const startedAt = performance.timeOrigin / 1000;
  metrics.gauge(
    'process_start_time_seconds',
    'Start of the process, in seconds since 1970.',
    () => startedAt,
  );
  metrics.total('process_cpu_seconds_total', 'CPU time of the process.', cpuSeconds);
  metrics.gauge('process_resident_memory_bytes', 'Resident memory.', () => process.memoryUsage.rss());
  metrics.gauge('nodejs_heap_used_bytes', 'Used heap of V8.', () => process.memoryUsage().heapUsed);
  metrics.gauge('nodejs_external_memory_bytes', 'Memory of buffers and native objects.', externalBytes);
  return measureEventLoop(metrics);
}

/** The delay since the last time that it was read, without the timer's own interval. */
function measureEventLoop(metrics: Metrics): () => void {
  const delay = monitorEventLoopDelay({ resolution: eventLoopResolutionMs });
  delay.enable();
  let read = { p50: 0, p99: 0, max: 0 };
  const help = 'Delay of the event loop since the last scrape.';
  const name = 'nodejs_eventloop_delay_seconds';
  const percentile = (given: () => number, label: string) =>
    metrics.gauge(name, help, given, { percentile: label });
  percentile(() => {
    read = {
      p50: secondsAbove(delay.percentile(50)),
      p99: secondsAbove(delay.percentile(99)),
      max: secondsAbove(delay.max),
    };
    delay.reset();
    return read.p50;
  }, '50');
  percentile(() => read.p99, '99');
  percentile(() => read.max, '100');
  return () => void delay.disable();
}

function secondsAbove(measuredNs: number): number {
  const seconds = measuredNs * nanoseconds - eventLoopResolutionMs / 1000;
  return Math.max(0, Number.isFinite(seconds) ? seconds : 0);
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) * microseconds;
}

function externalBytes(): number {
  const { external } = process.memoryUsage();
  return external;
}

/** Counts the workers of a program that were started again. */
export function countRestarts(metrics: Metrics): Count {
  return metrics.counter('sluice_worker_restarts_total', 'Workers that exited and were started again.');
}
