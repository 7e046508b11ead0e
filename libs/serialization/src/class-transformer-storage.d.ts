/** The metadata storage of class-transformer. The package contains this file, but its types do not declare it. */
declare module 'class-transformer/cjs/storage.js' {
  import type { MetadataStorage } from 'class-transformer/types/MetadataStorage';

  export var defaultMetadataStorage: MetadataStorage;
}
