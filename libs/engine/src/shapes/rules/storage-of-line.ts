import { isFunction, prototypeOf } from '../values';
import { getMetadataStorage, type MetadataStorage } from 'class-validator';
import { rulesGeneration } from './storage';

/** The stored rules of a class, and their place in the storage. */
interface Entry {
  readonly type: Function;
  readonly rules: unknown;
  readonly place: number;
}

/** All classes with rules, by prototype. */
interface Index {
  readonly generation: number;
  readonly byPrototype: ReadonlyMap<object, readonly Entry[]>;
  /** Whether the storage is as expected. class-validator 0.13 has a list, and a schema name is not a class. */
  readonly isComplete: boolean;
  /** The storage with the rules for the last requested class. */
  readonly line: { validationMetadatas?: unknown };
}

let index: Index | undefined;

/**
 * Returns a class-validator storage that contains only the rules for a class and its ancestors, in storage order. The library's
 * own search tests every class that was ever decorated, by `instanceof`. The result is valid until the next call.
 */
export function storageOfLine(target: Function): MetadataStorage {
  const storage = getMetadataStorage();
  const generation = rulesGeneration();
  if (index?.generation !== generation) index = indexOf(storage, generation);
  if (!index.isComplete) return storage;
  const entries: Entry[] = [];
  let current = target.prototype as object | null | undefined;
  for (; current; current = prototypeOf(current)) entries.push(...(index.byPrototype.get(current) ?? []));
  entries.sort((left, right) => left.place - right.place);
  index.line.validationMetadatas = new Map(entries.map(({ type, rules }) => [type, rules]));
  return index.line as unknown as MetadataStorage;
}

function indexOf(storage: MetadataStorage, generation: number): Index {
  const byPrototype = new Map<object, Entry[]>();
  const line = Object.create(storage) as Index['line'];
  const stored: unknown = line.validationMetadatas;
  const makeIndex = (isComplete: boolean): Index => ({ generation, byPrototype, isComplete, line });
  if (!(stored instanceof Map)) return makeIndex(false);
  let place = 0;
  for (const [type, rules] of stored) {
    if (!isFunction(type)) return makeIndex(false);
    const prototype = type.prototype as object;
    byPrototype.set(prototype, [...(byPrototype.get(prototype) ?? []), { type, rules, place }]);
    place += 1;
  }
  return makeIndex(true);
}
