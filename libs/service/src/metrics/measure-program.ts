import { workerNumber } from '@app/settings';
import type { FastifyInstance } from 'fastify';
import { AggregatorRegistry, Registry } from 'prom-client';
import { defineGauge } from './define-gauge';
import { measureLibraries } from './library-metrics';
import { measureProcess } from './process-metrics';
import { measureRequests } from './request-metrics';

/** The metrics registry of a program, and the function that stops measuring. */
export interface MeasuredProgram {
  readonly registry: Registry;
  readonly stop: () => void;
}

/**
 * Measures a program, its requests, its libraries and its process.
 *
 * @param build the program's labels
 */
export function measureProgram(
  server: FastifyInstance,
  build: Readonly<Record<string, string>>,
  shutdown: { readonly inFlight: number; readonly hasBegun: boolean },
): MeasuredProgram {
  const registry = new Registry();
  joinWorkers(registry);
  defineGauge(registry, 'sluice_build_info', 'What runs; always 1.', () => 1, build);
  defineGauge(
    registry,
    'http_requests_in_flight',
    'Requests that have arrived completely and have no response.',
    () => shutdown.inFlight,
  );
  defineGauge(registry, 'sluice_draining', 'Whether the program is shutting down: 1 or 0.', () =>
    Number(shutdown.hasBegun),
  );
  measureRequests(server, registry);
  const stops = [measureProcess(registry), measureLibraries(registry)];
  return { registry, stop: () => stops.forEach((stop) => stop()) };
}

/** Lets a worker send its metrics to the supervisor on request. Each series is labeled with the worker's number. */
function joinWorkers(registry: Registry): void {
  const worker = workerNumber();
  if (worker === undefined) return;
  registry.setDefaultLabels({ worker });
  AggregatorRegistry.setRegistries(registry);
  // The constructor listens to the supervisor.
  void new AggregatorRegistry();
}
