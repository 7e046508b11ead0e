/** Where class-transformer keeps what was declared. Its package holds the file; its types leave it out. */
declare module 'class-transformer/cjs/storage.js' {
  import type { MetadataStorage } from 'class-transformer/types/MetadataStorage';

  export var defaultMetadataStorage: MetadataStorage;
}
