import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, Gauge, type Registry } from 'prom-client';
import { defineGauge } from './define-gauge';

const eventLoopResolutionMs = 10;
const nanoseconds = 1e-9;
const microseconds = 1e-6;

/** Measures this process: CPU time, memory and the event loop delay. @returns a function that stops measuring */
export function measureProcess(registry: Registry): () => void {
  const startedAt = performance.timeOrigin / 1000;
  defineGauge(
    registry,
    'process_start_time_seconds',
    'Start of the process, in seconds since 1970.',
    () => startedAt,
  );
  void new Counter({
    name: 'process_cpu_seconds_total',
    help: 'CPU time of the process.',
    registers: [registry],
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) * microseconds);
    },
  });
  defineGauge(registry, 'process_resident_memory_bytes', 'Resident memory.', () => process.memoryUsage.rss());
  defineGauge(registry, 'nodejs_heap_used_bytes', 'Used heap of V8.', () => process.memoryUsage().heapUsed);
  defineGauge(
    registry,
    'nodejs_external_memory_bytes',
    'Memory of buffers and native objects.',
    () => process.memoryUsage().external,
  );
  return measureEventLoop(registry);
}

/** Measures the event loop delay since the last scrape, without the timer's own interval. */
function measureEventLoop(registry: Registry): () => void {
  const delay = monitorEventLoopDelay({ resolution: eventLoopResolutionMs });
  delay.enable();
  void new Gauge({
    name: 'nodejs_eventloop_delay_seconds',
    help: 'Delay of the event loop since the last scrape.',
    labelNames: ['percentile'],
    registers: [registry],
    collect() {
      for (const percentile of [50, 99, 100])
        this.set({ percentile }, secondsAbove(delay.percentile(percentile)));
      delay.reset();
    },
  });
  return () => void delay.disable();
}

function secondsAbove(measuredNs: number): number {
  const seconds = measuredNs * nanoseconds - eventLoopResolutionMs / 1000;
  return Math.max(0, Number.isFinite(seconds) ? seconds : 0);
}
