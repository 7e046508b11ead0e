import type { Server } from 'node:http';
import {
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleDestroy,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Connections } from '../lifecycle/connections';

/** Ends a program's connections in order when it is closed, whoever closes it. */
@Injectable()
export class Draining implements OnApplicationBootstrap, OnModuleDestroy, OnApplicationShutdown {
  private connections: Connections | undefined;
  private endSweeping: (() => void) | undefined;
  /** Whether the program is ending: it answers what it has accepted, and wants no more. */
  hasBegun = false;

  constructor(private readonly host: HttpAdapterHost) {}

  /** How many requests wait for their answer. */
  get inFlight(): number {
    return this.connections?.inFlight ?? 0;
  }

  onApplicationBootstrap(): void {
    const server: Server = this.host.httpAdapter.getHttpServer();
    this.connections = new Connections(server);
  }

  async onModuleDestroy(): Promise<void> {
    this.hasBegun = true;
    this.endSweeping = await this.connections?.drain();
  }

  onApplicationShutdown(): void {
    this.endSweeping?.();
  }
}
