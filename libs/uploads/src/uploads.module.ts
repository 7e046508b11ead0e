import { FileRoutes } from '@app/service';
import { type DynamicModule, Module } from '@nestjs/common';
import { UploadRoutes } from './upload-routes.service';
import { UploadStore } from './upload-store';

/** Receives the files of `@Upload()`, and provides their store. Global. */
@Module({})
export class UploadsModule {
  static forRoot(store: UploadStore): DynamicModule {
    return {
      module: UploadsModule,
      global: true,
      providers: [
        { provide: UploadStore, useValue: store },
        { provide: FileRoutes, useValue: new UploadRoutes(store) },
      ],
      exports: [UploadStore],
    };
  }
}
