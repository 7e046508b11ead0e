import { type DynamicModule, Module } from '@nestjs/common';
import { AboutService, PROGRAM_IDENTITY, type ProgramIdentity } from './about.service';

/** What every program of the workspace shares, for those who inject rather than call. */
@Module({})
export class ServiceModule {
  static forRoot(identity: ProgramIdentity): DynamicModule {
    return {
      module: ServiceModule,
      providers: [{ provide: PROGRAM_IDENTITY, useValue: identity }, AboutService],
      exports: [AboutService],
    };
  }
}
