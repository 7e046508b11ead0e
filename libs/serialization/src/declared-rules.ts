/// <reference types="./class-transformer-storage" />
import 'reflect-metadata';
import { TransformationType, type TypeOptions } from 'class-transformer';
import { defaultMetadataStorage as storage } from 'class-transformer/cjs/storage.js';

/** A class whose instances cross the wire. */
export type WireClass<T extends object = object> = new () => T;

/** The argument of a type function. */
interface TypeHelp {
  readonly newObject: object;
  readonly object: object;
  readonly property: string;
}

/** What one `@Type` declares. */
export interface DeclaredType {
  /** Absent if there is only the compiler's type metadata. */
  readonly typeFunction?: (help: TypeHelp) => unknown;
  /** The type of the property in the compiler's metadata. */
  readonly reflectedType?: unknown;
  readonly options?: TypeOptions;
}

/** Whether a class or one of its ancestors has decorators of class-transformer. */
export function hasRules(type: unknown): boolean {
  return ancestry(type).some((one) => ruleBooks.some((book) => book.has(one)));
}

/** By class, then by property. Private in class-transformer, which has no other list. */
type StoredRules = ReadonlyMap<unknown, ReadonlyMap<string | undefined, unknown>>;

const typeBook: StoredRules = storage['_typeMetadatas'];
const ruleBooks: readonly StoredRules[] = [
  typeBook,
  storage['_exposeMetadatas'],
  storage['_excludeMetadatas'],
  storage['_transformMetadatas'],
];

/** Whether the class itself sends exposed properties only; class-transformer does not inherit this. */
export function isClosed(type: unknown): boolean {
  return typeof type === 'function' && storage.getStrategy(type) === 'excludeAll';
}

/** The names of the properties that a class or one of its ancestors exposes. */
export function exposedProperties(type: Function): string[] {
  return storage.getExposedProperties(type, TransformationType.CLASS_TO_PLAIN);
}

/** The `@Type` of a property, in the class or the nearest ancestor. */
export function typeOf(type: Function, property: string): DeclaredType | undefined {
  return storage.findTypeMetadata(type, property);
}

/** The names of all properties with a `@Type`. */
export function typedProperties(type: unknown): Set<string> {
  const names = new Set<string>();
  for (const one of ancestry(type)) {
    for (const name of typeBook.get(one)?.keys() ?? []) if (name !== undefined) names.add(name);
  }
  return names;
}

/** A class and its ancestors, nearest first. */
export function ancestry(type: unknown): unknown[] {
  const classes: unknown[] = [];
  for (
    let one = type;
    typeof one === 'function' && one.prototype !== undefined;
    one = Object.getPrototypeOf(one)
  ) {
    classes.push(one);
  }
  return classes;
}
