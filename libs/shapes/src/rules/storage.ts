/// <reference path="./class-validator-internals.d.ts" />
import { getMetadataStorage, type MetadataStorage } from 'class-validator';
import * as container from 'class-validator/cjs/container.js';

const WRITERS = ['addValidationMetadata', 'addConstraintMetadata', 'addValidationSchema'] as const;

/** Private in class-validator's types; the version gate vouches for it. */
interface Inside {
  validationMetadatas: Map<unknown, unknown[]>;
}

let generation = 0;
let watched: MetadataStorage | undefined;
let watchedMap: Map<unknown, unknown[]> | undefined;

/**
 * A number that grows whenever a rule is declared, the storage is cleared or replaced, or another container is used:
 * what was compiled under a smaller one is out of date.
 */
export function rulesGeneration(): number {
  const storage = (globalThis as { classValidatorMetadataStorage?: MetadataStorage })
    .classValidatorMetadataStorage;
  if (storage === undefined || storage !== watched || mapOf(storage) !== watchedMap)
    watch(getMetadataStorage());
  return generation;
}

/** Everything that writes is counted on the object itself, so that its class stays as it is. */
function watch(storage: MetadataStorage): void {
  generation += 1;
  const map = mapOf(storage);
  if (storage !== watched) for (const name of WRITERS) count(storage, name);
  for (const name of ['set', 'delete', 'clear'] as const) count(map, name);
  watched = storage;
  watchedMap = map;
}

function count(object: object, name: string): void {
  const write = Reflect.get(object, name) as (...given: unknown[]) => unknown;
  Object.defineProperty(object, name, {
    configurable: true,
    writable: true,
    value: function counted(this: unknown, ...given: unknown[]) {
      generation += 1;
      return write.apply(this, given);
    },
  });
}

function mapOf(storage: MetadataStorage): Map<unknown, unknown[]> {
  return (storage as unknown as Inside).validationMetadatas;
}

/** A container that comes later gives other instances of validators; callers reach it through the module. */
const shown = ('default' in container ? container.default : container) as object;
count(shown, 'useContainer');
