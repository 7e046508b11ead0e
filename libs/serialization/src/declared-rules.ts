/// <reference path="./class-transformer-storage.d.ts" />
import { TransformationType } from 'class-transformer';
import { defaultMetadataStorage as storage, type TypeMetadata } from 'class-transformer/cjs/storage.js';

/** A class whose instances cross the wire. */
export type WireClass<T extends object = object> = new () => T;

/** Whether a class, or one it extends, says anything to class-transformer. */
export function carriesRules(type: unknown): boolean {
  return lineage(type).some((one) => ruleBooks.some((book) => book.has(one)));
}

const ruleBooks = [
  storage._exposeMetadatas,
  storage._excludeMetadatas,
  storage._typeMetadatas,
  storage._transformMetadatas,
];

/** Whether only exposed properties of a class are sent, by its own word: class-transformer does not inherit it. */
export function isClosed(type: unknown): boolean {
  return storage.getStrategy(type) === 'excludeAll';
}

/** The names of the properties a class, or one it extends, exposes. */
export function exposedProperties(type: unknown): string[] {
  return storage.getExposedProperties(type, TransformationType.CLASS_TO_PLAIN);
}

/** What `@Type` says of a property, here or in a class that is extended. */
export function typeOf(type: unknown, property: string): TypeMetadata | undefined {
  return storage.findTypeMetadata(type, property);
}

/** The names of all properties with a `@Type`. */
export function typedProperties(type: unknown): string[] {
  const names = lineage(type).flatMap((one) => [...(storage._typeMetadatas.get(one)?.keys() ?? [])]);
  return [...new Set(names)].filter((name) => name !== undefined);
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
