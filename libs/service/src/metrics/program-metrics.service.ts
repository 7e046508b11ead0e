import { workerNumber } from '@app/settings';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import { PROGRAM_IDENTITY, type ProgramIdentity } from '../identity/about.service';
import { GracefulShutdown } from '../shutdown/graceful-shutdown.service';
import { requestMetrics } from '../process/worker';
import { type MetricsServer, serveMetrics } from './serve-metrics';

/** A program's metrics. Measuring starts with {@link collect}. Until then, requests run without a metrics hook. */
@Injectable()
export class ProgramMetrics implements OnApplicationShutdown {
  private registry: Registry | undefined;
  private server: MetricsServer | undefined;
  private stop = () => {};

  constructor(
    @Inject(PROGRAM_IDENTITY) private readonly identity: ProgramIdentity,
    private readonly shutdown: GracefulShutdown,
  ) {}

  /** Loads prom-client, which takes 20 ms, and starts measuring. @param server before its routes are registered */
  async collect(server: FastifyInstance): Promise<void> {
    const { measureProgram } = await import('./measure-program.js');
    const { version, application } = this.identity;
    const build = { application, version, node: process.versions.node };
    ({ registry: this.registry, stop: this.stop } = measureProgram(server, build, this.shutdown));
  }

  /** Renders the metrics in the Prometheus text format. */
  async render(): Promise<string> {
    return (await this.registry?.metrics()) ?? '';
  }

  /** Renders the metrics of all workers if the program has several workers. */
  async renderAll(): Promise<string> {
    return (workerNumber() === undefined ? '' : await requestMetrics()) || this.render();
  }

  /** Serves the metrics on the configured port. @returns the URL, or `undefined` without a port */
  async serve(settings: Parameters<typeof serveMetrics>[1]): Promise<string | undefined> {
    this.server = await serveMetrics(() => this.render(), settings);
    return this.server?.url;
  }

  /** Stops the metrics last, so that a draining program is still observed. */
  onApplicationShutdown(): void {
    this.server?.close();
    this.stop();
  }
}
