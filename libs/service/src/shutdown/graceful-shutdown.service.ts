import type { Server, ServerResponse } from 'node:http';
import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleDestroy,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Connections } from './connections';
import { pathOf } from '../logs/request-log';

/** Drains a program's connections when it is closed, on a signal or by a test. */
@Injectable()
export class GracefulShutdown implements OnApplicationBootstrap, OnModuleDestroy, OnApplicationShutdown {
  private readonly logger = new Logger('Shutdown');
  private connections: Connections | undefined;
  private stopSweeping: (() => void) | undefined;
  /** Whether the program is shutting down, or about to. */
  hasBegun = false;

  constructor(private readonly host: HttpAdapterHost) {}

  /** The number of requests that have arrived completely and have no complete response. */
  get inFlight(): number {
    return this.connections?.inFlight ?? 0;
  }

  /** The responses to requests with an incomplete body. */
  get uploads(): Iterable<ServerResponse> {
    return this.connections?.uploads ?? [];
  }

  onApplicationBootstrap(): void {
    const server: Server = this.host.httpAdapter.getHttpServer();
    this.connections = new Connections(server);
  }

  /** Reports not ready, and announces with each response that its connection closes. Requests are still accepted. */
  announce(): void {
    this.hasBegun = true;
    this.connections?.announceClose();
  }

  async onModuleDestroy(): Promise<void> {
    this.hasBegun = true;
    this.stopSweeping = await this.connections?.drain({ onCut: (response) => this.logCut(response) });
  }

  onApplicationShutdown(): void {
    this.stopSweeping?.();
  }

  /** Logs an aborted upload, because its client only sees a closed connection. */
  private logCut({ req: { method, url = '', socket } }: ServerResponse): void {
    const fields = { method, path: pathOf(url), receivedBytes: socket.bytesRead };
    this.logger.warn({ ...fields, msg: 'upload aborted by shutdown' });
  }
}
