import { workerNumber } from '@app/settings';
import type { FastifyInstance } from 'fastify';
import { AggregatorRegistry, Registry } from 'prom-client';
import { defineGauge } from './define-gauge';
import { measureLibraries } from './library-metrics';
import { measureProcess } from './process-metrics';
import { measureRequests } from './request-metrics';

/** What is measured of a program. */
export interface MeasuredProgram {
  readonly registry: Registry;
  readonly stop: () => void;
}

/**
 * Measures a program, its requests, its libraries and its process.
 *
 * @param build the labels of the program
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

/** A worker sends its metrics to the supervisor on request, each series with the number of the worker. */
function joinWorkers(registry: Registry): void {
  const worker = workerNumber();
  if (worker === undefined) return;
  registry.setDefaultLabels({ worker });
  AggregatorRegistry.setRegistries(registry);
  // The constructor listens to the supervisor.
  void new AggregatorRegistry();
}
