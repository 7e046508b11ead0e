import { inSection } from '@app/contract';
import { Database, DatabaseSchemas } from '@app/persistence';
import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { AboutService, PROGRAM_IDENTITY, type ProgramIdentity } from '../identity/about.service';
import { BoundSerialization } from './bound-serialization.service';
import { ApiDescription } from '../reference/api-description.service';
import {
  descriptionController,
  DOCS_ACCESS,
  type DocsAccess,
  DocsController,
} from '../reference/docs.controller';
import { ProblemsController } from '../reference/problems.controller';
import { GracefulShutdown } from '../shutdown/graceful-shutdown.service';
import { ProgramInterceptors } from '../adapter/program-interceptors.service';
import { RouteInterceptors } from '../routes/handler.interceptor';
import { Idempotency } from '../idempotency/idempotency.service';
import { healthController } from '../health/health.controller';
import { ProgramMetrics } from '../metrics/program-metrics.service';
import { StoreCheck } from '../health/store-check';

/** The parts of every program: `AboutService`, health routes, the API reference, the error pages, graceful shutdown. Global. */
@Module({})
export class ServiceModule {
  static forRoot(
    identity: ProgramIdentity,
    docs: DocsAccess,
    schemas: DatabaseSchemas,
    healthChecks: readonly string[] = [],
  ): DynamicModule {
    return {
      module: ServiceModule,
      global: true,
      imports: [DiscoveryModule],
      controllers: inSection('service', [
        healthController(healthChecks),
        ProblemsController,
        ...docsControllers(docs),
      ]),
      providers: [
        { provide: PROGRAM_IDENTITY, useValue: identity },
        AboutService,
        { provide: DOCS_ACCESS, useValue: docs },
        { provide: DatabaseSchemas, useValue: schemas },
        ApiDescription,
        BoundSerialization,
        GracefulShutdown,
        ProgramMetrics,
        { provide: Idempotency, inject: [{ token: Database, optional: true }], useFactory: idempotencyOf },
        {
          provide: ProgramInterceptors,
          inject: [Idempotency, { token: Database, optional: true }],
          useFactory: ({ requests }: Idempotency, db: Database | undefined) =>
            new ProgramInterceptors(db, requests),
        },
        { provide: RouteInterceptors, useExisting: ProgramInterceptors },
        { provide: StoreCheck, inject: [{ token: Database, optional: true }], useFactory: checkOf },
      ],
      exports: [AboutService, DatabaseSchemas, RouteInterceptors, ProgramMetrics],
    };
  }
}

function docsControllers(docs: DocsAccess): Type[] {
  return docs === 'off' ? [] : [descriptionController(docs === 'on'), DocsController];
}

function idempotencyOf(db: Database | undefined): Idempotency {
  return new Idempotency(db);
}

function checkOf(db: Database | undefined): StoreCheck {
  return new StoreCheck(db);
}
