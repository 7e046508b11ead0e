import { workerNumber } from '@app/settings';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { measureLibraries } from './library-metrics';
import { Metrics } from './metrics';
import { type MetricsServer, serveMetrics } from './metrics-server';
import { measureProcess } from './process-metrics';
import { measureRequests } from './request-metrics';
import { requestMetrics } from './exchange-metrics';
import { PROGRAM_IDENTITY, type ProgramIdentity } from '../identity/about.service';
import { GracefulShutdown } from '../shutdown/graceful-shutdown.service';

/** The metrics of a program. Nothing is measured, and no request has a further hook, until {@link collect}. */
@Injectable()
export class ProgramMetrics implements OnApplicationShutdown {
  private readonly metrics = new Metrics();
  private stops: (() => void)[] = [];
  private server: MetricsServer | undefined;

  constructor(
    @Inject(PROGRAM_IDENTITY) private readonly identity: ProgramIdentity,
    private readonly shutdown: GracefulShutdown,
  ) {}

  /** @param server before its routes are registered */
  collect(server: FastifyInstance): void {
    const { version, application } = this.identity;
    const build = { application, version, node: process.versions.node };
    this.metrics.gauge('sluice_build_info', 'What runs; always 1.', () => 1, build);
    const { shutdown } = this;
    this.metrics.gauge(
      'http_requests_in_flight',
      'Requests that have arrived completely and have no response.',
      () => shutdown.inFlight,
    );
    this.metrics.gauge('sluice_draining', 'Whether the program is shutting down: 1 or 0.', () =>
      Number(shutdown.hasBegun),
    );
    measureRequests(server, this.metrics);
    this.stops = [measureProcess(this.metrics), measureLibraries(this.metrics)];
  }

  /** In the text format of Prometheus. */
  render(): string {
    return this.metrics.render();
  }

  /** The same of all workers of the program, if it has several. */
  async renderAll(): Promise<string> {
    return workerNumber() === undefined ? this.render() : ((await requestMetrics(process)) ?? this.render());
  }

  /** Serves `GET /metrics` without authentication, on a port of its own. @param port 0 picks a free one @returns the port */
  async listen(port: number, host: string): Promise<number> {
    this.server = await serveMetrics(() => this.render(), port, host);
    return this.server.port;
  }

  /** Last, so that a program that drains is still observed. */
  onApplicationShutdown(): void {
    this.server?.close();
    for (const stop of this.stops.splice(0)) stop();
  }
}
