/** Where class-transformer keeps what was declared. Its package holds the file; its types leave it out. */
declare module 'class-transformer/cjs/storage.js' {
  import type { MetadataStorage } from 'class-transformer/types/MetadataStorage';

  export var defaultMetadataStorage: MetadataStorage;
}

/** The engine behind class-transformer's functions, one for each call of them. */
declare module 'class-transformer/cjs/TransformOperationExecutor.js' {
  import type { ClassTransformOptions, TransformationType } from 'class-transformer';

  export class TransformOperationExecutor {
    constructor(direction: TransformationType, options: ClassTransformOptions);
    transform(
      source: undefined,
      value: unknown,
      type: unknown,
      arrayType: unknown,
      isMap: boolean | undefined,
      level?: number,
    ): unknown;
  }
}
