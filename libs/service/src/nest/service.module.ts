import { Database } from '@app/persistence';
import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { AboutService, PROGRAM_IDENTITY, type ProgramIdentity } from './about.service';
import { BoundSerialization } from './bound-serialization';
import { ApiDescription } from './docs/api-description';
import { descriptionController } from './docs/description.controller';
import { DOCS_ACCESS, type DocsAccess, DocsController } from './docs/docs.controller';
import { ProblemsController } from './docs/problems.controller';
import { GracefulShutdown } from './graceful-shutdown';
import { RouteArounds } from './around/route-arounds';
import { Idempotency } from './idempotency/idempotency';
import { HealthController } from './health.controller';
import { ProgramMetrics } from './metrics/program-metrics';
import { StoreCheck } from '../lifecycle/store-check';
import { UploadStore } from '../upload/upload-store';

/** What every program has: `AboutService`, health routes, the API reference, the pages of errors, graceful shutdown, the store of uploaded files. Global. */
@Module({})
export class ServiceModule {
  static forRoot(identity: ProgramIdentity, uploads: UploadStore, docs: DocsAccess): DynamicModule {
    return {
      module: ServiceModule,
      global: true,
      imports: [DiscoveryModule],
      controllers: [HealthController, ProblemsController, ...docsControllers(docs)],
      providers: [
        { provide: PROGRAM_IDENTITY, useValue: identity },
        AboutService,
        { provide: DOCS_ACCESS, useValue: docs },
        { provide: UploadStore, useValue: uploads },
        ApiDescription,
        BoundSerialization,
        GracefulShutdown,
        ProgramMetrics,
        { provide: Idempotency, inject: [{ token: Database, optional: true }], useFactory: idempotencyOf },
        {
          provide: RouteArounds,
          inject: [Idempotency, { token: Database, optional: true }],
          useFactory: ({ requests }: Idempotency, db: Database | undefined) => new RouteArounds(db, requests),
        },
        { provide: StoreCheck, inject: [{ token: Database, optional: true }], useFactory: checkOf },
      ],
      exports: [AboutService, RouteArounds, ProgramMetrics, UploadStore],
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
