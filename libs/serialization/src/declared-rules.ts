/// <reference types="./class-transformer-storage" />
import 'reflect-metadata';
import { TransformationType, type TypeOptions } from 'class-transformer';
import { defaultMetadataStorage as storage } from 'class-transformer/cjs/storage.js';

/** A class whose instances cross the wire. */
export type WireClass<T extends object = object> = new () => T;

/** What a type function may look at. */
interface TypeHelp {
  readonly newObject: object;
  readonly object: object;
  readonly property: string;
}

/** What one `@Type` declares. */
export interface DeclaredType {
  /** Absent where the compiler's own note of the type is all there is. */
  readonly typeFunction?: (help: TypeHelp) => unknown;
  /** The compiler's note of the property's type. */
  readonly reflectedType?: unknown;
  readonly options?: TypeOptions;
}

/** Whether a class, or one it extends, says anything to class-transformer. */
export function carriesRules(type: unknown): boolean {
  return lineage(type).some((one) => ruleBooks.some((book) => book.has(one)));
}

/** Kept by class, then by property; private to class-transformer, which has no other list of them. */
type RuleBook = ReadonlyMap<unknown, ReadonlyMap<string | undefined, unknown>>;

const typeBook: RuleBook = storage['_typeMetadatas'];
const ruleBooks: readonly RuleBook[] = [
  typeBook,
  storage['_exposeMetadatas'],
  storage['_excludeMetadatas'],
  storage['_transformMetadatas'],
];

/** Whether only exposed properties of a class are sent, by its own word: class-transformer does not inherit it. */
export function isClosed(type: unknown): boolean {
  return typeof type === 'function' && storage.getStrategy(type) === 'excludeAll';
}

/** The names of the properties a class, or one it extends, exposes. */
export function exposedProperties(type: Function): string[] {
  return storage.getExposedProperties(type, TransformationType.CLASS_TO_PLAIN);
}

/** What `@Type` says of a property, here or in a class that is extended. */
export function typeOf(type: Function, property: string): DeclaredType | undefined {
  return storage.findTypeMetadata(type, property);
}

/** The names of all properties with a `@Type`. */
export function typedProperties(type: unknown): Set<string> {
  const names = new Set<string>();
  for (const one of lineage(type)) {
    for (const name of typeBook.get(one)?.keys() ?? []) if (name !== undefined) names.add(name);
  }
  return names;
}

/** A class and those it extends, nearest first. */
export function lineage(type: unknown): unknown[] {
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
