import type { Server } from 'node:http';
import {
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleDestroy,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Connections } from '../stop/connections';

/** Ends a program's connections in order when it is closed, whoever closes it. */
@Injectable()
export class Draining implements OnApplicationBootstrap, OnModuleDestroy, OnApplicationShutdown {
  private connections: Connections | undefined;
  private endSweeping: (() => void) | undefined;

  constructor(private readonly host: HttpAdapterHost) {}

  /** Whether the program is ending: it answers what it has accepted, and wants no more. */
  get hasBegun(): boolean {
    return this.endSweeping !== undefined;
  }

  onApplicationBootstrap(): void {
    this.connections = new Connections(this.host.httpAdapter.getHttpServer() as Server);
  }

  onModuleDestroy(): void {
    this.endSweeping ??= this.connections?.drain();
  }

  onApplicationShutdown(): void {
    this.endSweeping?.();
  }
}
