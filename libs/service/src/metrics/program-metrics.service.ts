import { workerNumber } from '@app/settings';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import { PROGRAM_IDENTITY, type ProgramIdentity } from '../identity/about.service';
import { GracefulShutdown } from '../shutdown/graceful-shutdown.service';
import { requestMetrics } from '../process/worker';
import { type MetricsServer, serveMetrics } from './serve-metrics';

/** The metrics of a program. Nothing is measured, and no request has a further hook, until {@link collect}. */
@Injectable()
export class ProgramMetrics implements OnApplicationShutdown {
  private registry: Registry | undefined;
  private server: MetricsServer | undefined;
  private stop = () => {};

  constructor(
    @Inject(PROGRAM_IDENTITY) private readonly identity: ProgramIdentity,
    private readonly shutdown: GracefulShutdown,
  ) {}

  /** Loads prom-client, which takes 20 ms, and measures from now on. @param server before its routes are registered */
  async collect(server: FastifyInstance): Promise<void> {
    const { measureProgram } = await import('./measure-program.js');
    const { version, application } = this.identity;
    const build = { application, version, node: process.versions.node };
    ({ registry: this.registry, stop: this.stop } = measureProgram(server, build, this.shutdown));
  }

  /** Renders them in the text format of Prometheus. */
  async render(): Promise<string> {
    return (await this.registry?.metrics()) ?? '';
  }

  /** Renders those of all workers of the program, if it has several. */
  async renderAll(): Promise<string> {
    return (workerNumber() === undefined ? '' : await requestMetrics()) || this.render();
  }

  /** Serves them on the port of the settings. @returns the URL, if there is one */
  async serve(settings: Parameters<typeof serveMetrics>[1]): Promise<string | undefined> {
    this.server = await serveMetrics(() => this.render(), settings);
    return this.server?.url;
  }

  /** Last, so that a program that drains is still observed. */
  onApplicationShutdown(): void {
    this.server?.close();
    this.stop();
  }
}
