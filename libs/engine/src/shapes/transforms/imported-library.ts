/// <reference types="./class-transformer-storage" />
import { Expose, instanceToPlain } from 'class-transformer';
import { TransformOperationExecutor } from 'class-transformer/cjs/TransformOperationExecutor.js';
import * as storageModule from 'class-transformer/cjs/storage.js';

type Book = Map<unknown, unknown>;

/** The maps of class-transformer's storage, by class, in the order in which it reads them for an object. */
export const BOOKS = [
  '_excludeMetadatas',
  '_exposeMetadatas',
  '_ancestorsMap',
  '_typeMetadatas',
  '_transformMetadatas',
] as const;

/** The property that the executor's constructor sets. */
const MARK = 'transformationType';

/** The parts of class-transformer that it does not export. */
interface Library {
  readonly storage: object;
  readonly Executor: typeof TransformOperationExecutor;
}

/**
 * The storage and the executor from the class-transformer that the program imports.
 *
 * They are imported by path. A bundler that prefers the field `module` uses different files for the library itself, and its
 * decorators write to a separate storage. That storage is then observed for a single call. If this fails, `installedVersion`
 * detects that the decorators write elsewhere.
 */
export const { storage: importedStorage, Executor } = importedLibrary();

/** The reference implementation, which also handles all values that are not compiled. */
export type Executor = TransformOperationExecutor;

function importedLibrary(): Library {
  const byPath: object = storageModule;
  const storage: object = Reflect.get(byPath, 'defaultMetadataStorage');
  const standard = { storage, Executor: TransformOperationExecutor };
  class Probe {}
  Expose()(Probe.prototype, 'a');
  const stored = bookOf(storage, '_exposeMetadatas')?.has(Probe)
    ? standard
    : (observed(Probe, storage) ?? standard);
  for (const name of BOOKS) bookOf(stored.storage, name)?.delete(Probe);
  return stored;
}

/**
 * Observes which maps are read for an instance of the class, and which executor reads them, because its constructor sets
 * `transformationType`. The other storage stays unchanged, because different packages may use it; the methods are its own.
 *
 * @returns `undefined` if this is impossible, for example if prototypes are frozen
 */
function observed(Probe: new () => object, storage: object): Library | undefined {
  const { prototype } = Map;
  const get: Book['get'] = Reflect.get(prototype, 'get');
  const books = new Set<Book>();
  const executors: object[] = [];
  Reflect.set(prototype, 'get', function observe(this: Book, key: unknown) {
    if (key === Probe) books.add(this);
    return get.call(this, key);
  });
  Reflect.defineProperty(Object.prototype, MARK, {
    configurable: true,
    set(this: object, value) {
      executors.push(this);
      Reflect.defineProperty(this, MARK, { value });
    },
  });
  try {
    instanceToPlain(Object.assign(new Probe(), { a: 1 }));
  } catch {
    return undefined;
  } finally {
    Reflect.set(prototype, 'get', get);
    Reflect.deleteProperty(Object.prototype, MARK);
  }
  const [executor] = executors;
  if (!executor || books.size !== BOOKS.length) return undefined;
  const values = [...books];
  const copy: object = Object.create(storage);
  BOOKS.forEach((name, at) => Reflect.set(copy, name, values[at]));
  return { storage: copy, Executor: Reflect.get(executor, 'constructor') };
}

function bookOf(storage: object, name: string): Book | undefined {
  return Reflect.get(storage, name);
}
