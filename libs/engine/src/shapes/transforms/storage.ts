import { BOOKS, importedStorage } from './imported-library';

/** A conversion's direction: from JSON to instances, or from instances to JSON. */
export type Direction = 'toClass' | 'toPlain';

/** The common options of `@Expose`, `@Exclude` and `@Transform`, which say when they apply. */
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

export interface DeclaredType extends Omit<Declared, 'options'> {
  readonly options?: { readonly discriminator?: Discriminator; readonly keepDiscriminatorProperty?: boolean };
  readonly reflectedType?: unknown;
  readonly typeFunction?: (help?: unknown) => unknown;
}

export interface DeclaredTransform extends Declared {
  readonly transformFn: (params: unknown) => unknown;
}

/** The way in which a property selects the class for its parts. */
export interface Discriminator {
  readonly property: string;
  readonly subTypes: readonly { readonly name: string; readonly value: Function }[];
}

/** Declarations by class, then by property; class-level declarations have the key `undefined`. */
type Stored<One> = ReadonlyMap<unknown, ReadonlyMap<string | undefined, One>>;

/**
 * The members that are read from class-transformer's storage, including private members; `installedVersion` checks that they
 * exist.
 */
interface Storage {
  getStrategy(target: Function): 'none' | 'exposeAll' | 'excludeAll';
  getExposedMetadatas(target: Function): readonly Declared[];
  getExcludedMetadatas(target: Function): readonly Declared[];
  findExposeMetadata(target: Function, property: string): Declared;
  findTypeMetadata(target: Function, property: string): DeclaredType | undefined;
  findMetadatas<One>(book: Stored<One[]>, target: Function, property: string): readonly One[];
  getAncestors(target: Function): readonly Function[];
}

export const storage = importedStorage as Storage;

export const declaredTypes: Stored<DeclaredType> = Reflect.get(storage, '_typeMetadatas');

export const declaredTransforms: Stored<DeclaredTransform[]> = Reflect.get(storage, '_transformMetadatas');

/** Removes temporary classes. */
export function forgetTransforms(targets: readonly Function[]): void {
  for (const name of BOOKS) {
    const book = Reflect.get(storage, name) as Map<unknown, unknown> | undefined;
    for (const target of targets) book?.delete(target);
  }
}

let generation = 0;

/** Returns a number that increases whenever a decorator runs. Code compiled under a smaller number is outdated. */
export function transformsGeneration(): number {
  return generation;
}

/** Invalidates all compiled code, like a decorator that runs. */
export function invalidateAll(): void {
  generation += 1;
}

// Each decorator asks the map whether it knows the class, and nothing else does; other packages also set what a class has.
for (const name of BOOKS)
  if (name !== '_ancestorsMap') for (const method of ['has', 'set', 'clear']) count(name, method);

function count(book: string, method: string): void {
  const map: object = Reflect.get(storage, book);
  const write: (...args: unknown[]) => unknown = Reflect.get(map, method);
  Reflect.set(map, method, function counted(this: unknown, ...args: unknown[]) {
    generation += 1;
    return write.apply(this, args);
  });
}
