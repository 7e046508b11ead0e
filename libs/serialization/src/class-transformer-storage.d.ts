/** Where class-transformer keeps what was declared. Its package holds the file, its types leave it out. */
declare module 'class-transformer/cjs/storage.js' {
  import type { TypeHelpOptions, TypeOptions } from 'class-transformer';

  /** What one `@Type` declares. */
  export interface TypeMetadata {
    readonly typeFunction?: (help: TypeHelpOptions) => unknown;
    readonly options?: TypeOptions;
  }

  /** By property name; what is declared on the class itself stands under `undefined`. */
  type ByProperty<Declared> = ReadonlyMap<string | undefined, Declared>;

  export const defaultMetadataStorage: {
    readonly _typeMetadatas: ReadonlyMap<unknown, ByProperty<TypeMetadata>>;
    readonly _transformMetadatas: ReadonlyMap<unknown, ByProperty<unknown>>;
    readonly _exposeMetadatas: ReadonlyMap<unknown, ByProperty<unknown>>;
    readonly _excludeMetadatas: ReadonlyMap<unknown, ByProperty<unknown>>;
    findTypeMetadata(target: unknown, property: string): TypeMetadata | undefined;
    getExposedProperties(target: unknown, direction: number): string[];
    getStrategy(target: unknown): 'excludeAll' | 'exposeAll' | 'none';
  };
}
