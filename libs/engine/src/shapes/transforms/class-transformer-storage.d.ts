/** The metadata storage of class-transformer. The package contains this file, but its types do not declare it. */
declare module 'class-transformer/cjs/storage.js' {
  import type { MetadataStorage } from 'class-transformer/types/MetadataStorage';

  export var defaultMetadataStorage: MetadataStorage;
}

/** The implementation behind class-transformer's functions, with an instance per call. */
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
