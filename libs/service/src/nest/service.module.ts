import { Database } from '@app/persistence';
import { type DynamicModule, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { AboutService, PROGRAM_IDENTITY, type ProgramIdentity } from './about.service';
import { BoundSerialization } from './bound-serialization';
import { ApiDescription } from './docs/api-description';
import { DocsController } from './docs/docs.controller';
import { GracefulShutdown } from './graceful-shutdown';
import { Idempotency } from './idempotency/idempotency';
import { HealthController } from './health.controller';
import { ProgramMetrics } from './metrics/program-metrics';
import { StoreCheck } from '../lifecycle/store-check';
import { UploadStore } from '../upload/upload-store';

/** What every program has: `AboutService`, health routes, the API reference, graceful shutdown, the store of uploaded files. Global. */
@Module({})
export class ServiceModule {
  static forRoot(identity: ProgramIdentity, uploads: UploadStore): DynamicModule {
    return {
      module: ServiceModule,
      global: true,
      imports: [DiscoveryModule],
      controllers: [HealthController, DocsController],
      providers: [
        { provide: PROGRAM_IDENTITY, useValue: identity },
        AboutService,
        { provide: UploadStore, useValue: uploads },
        ApiDescription,
        BoundSerialization,
        GracefulShutdown,
        ProgramMetrics,
        { provide: Idempotency, inject: [{ token: Database, optional: true }], useFactory: idempotencyOf },
        { provide: StoreCheck, inject: [{ token: Database, optional: true }], useFactory: checkOf },
      ],
      exports: [AboutService, Idempotency, ProgramMetrics, UploadStore],
    };
  }
}

function idempotencyOf(db: Database | undefined): Idempotency {
  return new Idempotency(db);
}

function checkOf(db: Database | undefined): StoreCheck {
  return new StoreCheck(db && (() => db.check()));
}
