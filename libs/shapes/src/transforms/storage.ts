/// <reference types="./class-transformer-storage" />
import * as storageModule from 'class-transformer/cjs/storage.js';

/** Which way values go: from JSON to instances, or from instances to JSON. */
export type Direction = 'toClass' | 'toPlain';

/** What `@Expose`, `@Exclude` and `@Transform` have in common: when they count. */
export interface DeclaredOptions {
  readonly name?: string;
  readonly since?: number;
  readonly until?: number;
  readonly groups?: readonly string[];
  readonly toClassOnly?: boolean;
  readonly toPlainOnly?: boolean;
}

export interface Declared {
  readonly propertyName: string;
  readonly options?: DeclaredOptions;
}

interface DeclaredType extends Omit<Declared, 'options'> {
  readonly options?: { readonly discriminator?: Discriminator; readonly keepDiscriminatorProperty?: boolean };
  readonly reflectedType?: unknown;
  readonly typeFunction?: (help?: unknown) => unknown;
}

export interface DeclaredTransform extends Declared {
  readonly transformFn: (params: unknown) => unknown;
}

/** How a property names the class of its parts among several. */
export interface Discriminator {
  readonly property: string;
  readonly subTypes: readonly { readonly name: string; readonly value: Function }[];
}

/** By class, then by property; what is declared on a class as a whole stands under `undefined`. */
type Book<One> = ReadonlyMap<unknown, ReadonlyMap<string | undefined, One>>;

/** The part of class-transformer's storage that is read, private or not; the version gate vouches for it. */
interface Storage {
  getStrategy(target: Function): 'none' | 'exposeAll' | 'excludeAll';
  getExposedMetadatas(target: Function): readonly Declared[];
  getExcludedMetadatas(target: Function): readonly Declared[];
  findExposeMetadata(target: Function, property: string): Declared;
  findTypeMetadata(target: Function, property: string): DeclaredType | undefined;
  findMetadatas<One>(book: Book<One[]>, target: Function, property: string): readonly One[];
  getAncestors(target: Function): readonly Function[];
}

const held: object = storageModule;

export const storage: Storage = Reflect.get(held, 'defaultMetadataStorage');

export const declaredTypes: Book<DeclaredType> = Reflect.get(storage, '_typeMetadatas');

export const declaredTransforms: Book<DeclaredTransform[]> = Reflect.get(storage, '_transformMetadatas');

/** Forgets classes that were declared to try something. */
export function forgetTransforms(targets: readonly Function[]): void {
  for (const name of BOOKS) {
    const book = Reflect.get(storage, name) as Map<unknown, unknown> | undefined;
    for (const target of targets) book?.delete(target);
  }
}

const BOOKS = [
  '_typeMetadatas',
  '_transformMetadatas',
  '_exposeMetadatas',
  '_excludeMetadatas',
  '_ancestorsMap',
] as const;

let generation = 0;

/** A number that grows whenever a decorator runs: what was compiled under a smaller one is out of date. */
export function transformsGeneration(): number {
  return generation;
}

/** Makes everything that was compiled out of date, as a decorator that runs does. */
export function noteChange(): void {
  generation += 1;
}

const WRITERS = [
  'addTypeMetadata',
  'addTransformMetadata',
  'addExposeMetadata',
  'addExcludeMetadata',
  'clear',
] as const;

for (const name of WRITERS) {
  const write: (...given: unknown[]) => unknown = Reflect.get(storage, name);
  Reflect.set(storage, name, function counted(this: unknown, ...given: unknown[]) {
    generation += 1;
    return write.apply(this, given);
  });
}
