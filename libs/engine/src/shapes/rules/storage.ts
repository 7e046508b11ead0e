import { getMetadataStorage, type MetadataStorage } from 'class-validator';

const WRITERS = ['addValidationMetadata', 'addConstraintMetadata', 'addValidationSchema'] as const;

/** The stored rules: a map by class since class-validator 0.14, a single list before. */
type StoredMetadata = Map<unknown, unknown[]> | unknown[];

let generation = 0;
let watched: MetadataStorage | undefined;
let watchedNotes: StoredMetadata | undefined;
let watchedLength = 0;

/**
 * Returns a number that increases whenever a rule is declared, or the storage is cleared or replaced. Code compiled under a
 * smaller number is outdated.
 */
export function rulesGeneration(): number {
  const storage = (globalThis as { classValidatorMetadataStorage?: MetadataStorage })
    .classValidatorMetadataStorage;
  if (storage === undefined || storage !== watched || metadataOf(storage) !== watchedNotes)
    watch(getMetadataStorage());
  else if (Array.isArray(watchedNotes) && watchedNotes.length !== watchedLength) {
    generation += 1;
    watchedLength = watchedNotes.length;
  }
  return generation;
}

/** Runs a function that declares temporary rules, and forgets them, so that compiled code stays valid. */
export function withoutCounting<Result>(declare: () => Result): Result {
  const before = rulesGeneration();
  try {
    return declare();
  } finally {
    generation = before;
  }
}

/** Replaces the writing methods on the object itself, so that its class stays unchanged. */
function watch(storage: MetadataStorage): void {
  generation += 1;
  const notes = metadataOf(storage);
  if (storage !== watched) for (const name of WRITERS) count(storage, name);
  if (Array.isArray(notes)) watchedLength = notes.length;
  else for (const name of ['set', 'delete', 'clear'] as const) count(notes, name);
  watched = storage;
  watchedNotes = notes;
}

function count(object: object, name: string): void {
  const write = Reflect.get(object, name) as (...args: unknown[]) => unknown;
  Object.defineProperty(object, name, {
    configurable: true,
    writable: true,
    value: function counted(this: unknown, ...args: unknown[]) {
      generation += 1;
      return write.apply(this, args);
    },
  });
}

function metadataOf(storage: MetadataStorage): StoredMetadata {
  return (storage as unknown as { readonly validationMetadatas: StoredMetadata }).validationMetadatas;
}
