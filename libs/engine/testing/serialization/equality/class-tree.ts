import { Exclude, Expose } from 'class-transformer';
import * as module from 'class-transformer/cjs/storage.js';
import type { Chance } from './chance.ts';
import {
  type DecoratorContext,
  decorate,
  decorateTypically,
  type MadeClass,
  type WhenOptions,
} from './decorate.ts';

/** Classes that may extend and contain each other. */
export interface ClassTree extends DecoratorContext {
  /** The keys of most instances, so that key orders are repeated. */
  readonly orders: readonly (readonly string[])[];
  /** Whether a value may change when it is read again. */
  readonly isFickle: boolean;
  /** Whether its classes are typical: closed, and without unusual members. */
  readonly isTypical: boolean;
  /** Runs a decorator late, or changes decorator options in place. */
  change(chance: Chance): void;
  /** Removes their metadata from class-transformer's storage. */
  forget(): void;
}

const PROPERTIES = ['id', 'name', 'email', 'at', 'part', 'parts', 'a', 'b', 'c', 'shout', 'count'];

/** Generates up to five classes with random decorators. */
export function makeClassTree(chance: Chance): ClassTree {
  const classes: MadeClass[] = [];
  const usedOptions: WhenOptions[] = [];
  const isTypical = chance.is(0.4);
  const size = 1 + chance.below(5);
  const properties = chance.is(0.1) ? PROPERTIES : ['id', ...chance.some(PROPERTIES.slice(1), 0.45)];
  for (let at = 0; at < size; at++) classes.push(makeClass(chance, classes, isTypical));
  const changesValues = classes.map((type) =>
    (isTypical ? decorateTypically : decorate)(type, chance, { classes, properties, usedOptions }),
  );
  return {
    classes,
    properties,
    usedOptions,
    orders: [properties, properties.toReversed(), chance.some(properties, 0.6), properties.slice(2), []],
    isFickle: changesValues.includes(true) || classes.some((type) => counting.has(type)),
    isTypical,
    change: (by) => changeDecorators(by, { classes, properties, usedOptions }),
    forget: () => forget(classes),
  };
}

function makeClass(chance: Chance, before: readonly MadeClass[], isTypical: boolean): MadeClass {
  const Base = before.length > 0 && chance.is(0.4) ? chance.one(before) : undefined;
  const type = Base ? class extends Base {} : class {};
  Object.defineProperty(type, 'name', { value: `Made${before.length}` });
  if (isTypical) return type;
  if (chance.is(0.3)) addGetter(type, 'shout', chance);
  if (chance.is(0.2)) addCountingGetter(type);
  if (chance.is(0.15)) addMethod(type, 'name', () => 'a method');
  if (chance.is(0.02)) addMethod(type, chance.one(['toJSON', 'then', 'constructor']), () => 'own way');
  return type;
}

function addMethod(type: MadeClass, name: string, value: () => unknown): void {
  Object.defineProperty(type.prototype, name, { value, writable: true, configurable: true });
}

const getters: readonly ((this: { name?: unknown }) => unknown)[] = [
  function shouted() {
    return `${typeof this.name}!`;
  },
  () => new Date(1_234_567),
  () => ({ fresh: [1] }),
  () => () => 'called',
];

function addGetter(type: MadeClass, property: string, chance: Chance): void {
  Object.defineProperty(type.prototype, property, { get: chance.one(getters), configurable: true });
}

function changeDecorators(chance: Chance, { classes, properties, usedOptions }: DecoratorContext): void {
  if (chance.is(0.2)) {
    chance.one([Exclude, Expose])()(chance.one(classes).prototype, chance.one(properties));
    return;
  }
  const options: WhenOptions | undefined = chance.one([...usedOptions, undefined]);
  if (options?.groups && chance.is(0.6)) options.groups.push(chance.one(['admin', 'user']));
  else if (options) options.since = chance.below(4);
}

const counting = new WeakSet<Function>();
const counts = new WeakMap<object, number>();

/** Adds a getter that returns a new value each time, so that the number of reads is visible. */
function addCountingGetter(type: MadeClass): void {
  counting.add(type);
  Object.defineProperty(type.prototype, 'count', {
    configurable: true,
    get(this: object) {
      const count = (counts.get(this) ?? 0) + 1;
      counts.set(this, count);
      return count;
    },
  });
}

function forget(classes: readonly MadeClass[]): void {
  const namespace: object = module;
  const storage: Record<string, Map<unknown, unknown>> = Reflect.get(namespace, 'defaultMetadataStorage');
  const books = ['_typeMetadatas', '_transformMetadatas', '_exposeMetadatas', '_excludeMetadatas'];
  for (const book of books) for (const type of classes) storage[book].delete(type);
  // class-transformer caches results here, by the constructor of each instance.
  const worked = '_ancestorsMap';
  storage[worked].clear();
}
