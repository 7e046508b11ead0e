import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { measureLibraries } from '../../metrics/library-metrics';
import { Metrics } from '../../metrics/metrics';
import { measureProcess } from '../../metrics/process-metrics';
import { measureRequests } from '../../metrics/request-metrics';
import { PROGRAM_IDENTITY, type ProgramIdentity } from '../about.service';
import { GracefulShutdown } from '../graceful-shutdown';

const contentType = 'text/plain; version=0.0.4; charset=utf-8';

/** The metrics of a program. Nothing is measured, and no request has a further hook, until {@link collect}. */
@Injectable()
export class ProgramMetrics implements OnApplicationShutdown {
  private readonly metrics = new Metrics();
  private stops: (() => void)[] = [];
  private listener: Server | undefined;

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
      'Requests that have arrived whole and are not answered.',
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

  /**
   * Answers `GET /metrics` to everybody, on a port of its own.
   *
   * @param port 0 picks a free one
   * @returns the port
   */
  async listen(port: number, host: string): Promise<number> {
    this.listener = createServer((request, response) => this.answer(request, response)).listen(port, host);
    await once(this.listener, 'listening');
    const address = this.listener.address();
    return address !== null && typeof address === 'object' ? address.port : port;
  }

  /** Last, so that a program that drains is still observed. */
  onApplicationShutdown(): void {
    this.listener?.close();
    this.listener?.closeAllConnections();
    for (const stop of this.stops.splice(0)) stop();
  }

  private answer({ method, url }: IncomingMessage, response: ServerResponse): void {
    if (url !== '/metrics' || method !== 'GET') response.writeHead(404).end();
    else response.writeHead(200, { 'Content-Type': contentType }).end(this.render());
  }
}
