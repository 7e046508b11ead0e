import { Exclude, Expose, Transform, Type } from 'class-transformer';
import * as module from 'class-transformer/cjs/storage.js';
import type { Chance } from './chance.ts';

/** A class made by chance, and the properties its decorators and instances speak of. */
export type MadeClass = new () => object;

/** Classes that may extend and hold each other. */
export interface ClassTree {
  readonly classes: readonly MadeClass[];
  /** Whether a value may answer differently the second time it is asked. */
  readonly isFickle: boolean;
  /** Whether its classes are as people write them: closed, and without surprises. */
  readonly isTidy: boolean;
  /** Takes what their decorators recorded out of class-transformer's storage again. */
  forget(): void;
}

const ODD_PROPERTIES = ['10', '2', 'x-y', 'constructor', 'toJSON', 'then', '', 'é"\\'];

/** The properties that classes declare and instances have. */
export const PROPERTIES = ['id', 'name', 'email', 'at', 'part', 'parts', 'a', 'b', 'c', 'shout', 'count'];

type Decorator = (target: object, property: string) => void;

/** Makes up to five classes with decorators put on by chance. */
export function makeClassTree(chance: Chance): ClassTree {
  const classes: MadeClass[] = [];
  const isTidy = chance.is(0.4);
  const size = 1 + chance.below(5);
  for (let at = 0; at < size; at++) classes.push(makeClass(chance, classes, isTidy));
  for (const one of classes) (isTidy ? decorateTidily : decorate)(one, chance, classes);
  const isFickle = classes.some((one) => fickle.has(one));
  return { classes, isFickle, isTidy, forget: () => forget(classes) };
}

function makeClass(chance: Chance, before: readonly MadeClass[], isTidy: boolean): MadeClass {
  const Base = before.length > 0 && chance.is(0.4) ? chance.one(before) : undefined;
  const made = Base ? class extends Base {} : class {};
  Object.defineProperty(made, 'name', { value: `Made${before.length}` });
  if (isTidy) return made;
  if (chance.is(0.3)) addGetter(made, 'shout', chance);
  if (chance.is(0.2)) addCountingGetter(made);
  if (chance.is(0.15))
    Object.defineProperty(made.prototype, 'name', { value: () => 'a method', writable: true });
  return made;
}

function decorateTidily(made: MadeClass, chance: Chance, classes: readonly MadeClass[]): void {
  if (chance.is(0.8)) Exclude()(made);
  for (const property of PROPERTIES) {
    if (chance.is(0.7)) Expose(chance.is(0.2) ? { groups: ['admin'] } : {})(made.prototype, property);
    if (chance.is(0.1))
      Transform(chance.one(transforms.slice(0, 3)), { toPlainOnly: true })(made.prototype, property);
    if (property === 'at' && chance.is(0.3)) Type(() => Date)(made.prototype, property);
    if (property.startsWith('part') && chance.is(0.8)) typed(chance.one(classes))(made.prototype, property);
  }
}

const getters: readonly ((this: { name?: unknown }) => unknown)[] = [
  function shouted() {
    return `${typeof this.name}!`;
  },
  () => new Date(1_234_567),
  () => ({ fresh: [1] }),
  () => () => 'called',
];

function addGetter(made: MadeClass, property: string, chance: Chance): void {
  Object.defineProperty(made.prototype, property, { get: chance.one(getters), configurable: true });
}

const fickle = new WeakSet<Function>();
const counts = new WeakMap<object, number>();

/** Answers differently each time, so that it tells how often it was read. */
function addCountingGetter(made: MadeClass): void {
  fickle.add(made);
  Object.defineProperty(made.prototype, 'count', {
    configurable: true,
    get(this: object) {
      const count = (counts.get(this) ?? 0) + 1;
      counts.set(this, count);
      return count;
    },
  });
}

function decorate(made: MadeClass, chance: Chance, classes: readonly MadeClass[]): void {
  if (chance.is(0.35)) Exclude()(made);
  if (chance.is(0.15)) Expose()(made);
  const names = chance.is(0.15) ? [...PROPERTIES, chance.one(ODD_PROPERTIES)] : PROPERTIES;
  for (const property of names) {
    for (const decorator of decoratorsFor(property, chance, classes)) decorator(made.prototype, property);
  }
}

function decoratorsFor(property: string, chance: Chance, classes: readonly MadeClass[]): Decorator[] {
  const decorators: Decorator[] = [];
  if (chance.is(0.5)) decorators.push(Expose(exposeOptions(chance)));
  if (chance.is(0.15)) decorators.push(Exclude(sideOptions(chance)));
  if (chance.is(0.2)) decorators.push(transformDecorator(chance));
  if (chance.is(0.05)) decorators.push(transformDecorator(chance));
  const isPart = property === 'part' || property === 'parts';
  if (chance.is(isPart ? 0.6 : 0.06)) decorators.push(typeDecorator(chance, classes));
  return decorators;
}

function typed(type: MadeClass): PropertyDecorator {
  return Type(() => type);
}

function transformDecorator(chance: Chance): Decorator {
  const transform = transformOf(chance);
  const decorator = Transform(transform, whenOptions(chance));
  return (target, property) => {
    if (transform === changing) fickle.add(target.constructor);
    decorator(target, property);
  };
}

function typeDecorator(chance: Chance, classes: readonly MadeClass[]): Decorator {
  const type = chance.is(0.75)
    ? chance.one(classes)
    : chance.one([String, Number, Boolean, Date, Object, Buffer, Array, Set]);
  if (chance.is(0.05)) return Type((help) => (help ? type : String));
  if (chance.is(0.05)) {
    const subTypes = classes.map((value, at) => ({ value, name: `kind${at}` }));
    return Type(() => type, { discriminator: { property: 'kind', subTypes } });
  }
  return Type(() => type);
}

function exposeOptions(chance: Chance) {
  const name = chance.is(0.15)
    ? { name: chance.one(['renamed', 'id', 'a', '7', 'é"\\', 'toJSON', '__proto__', 'constructor']) }
    : {};
  return { ...whenOptions(chance), ...name };
}

function whenOptions(chance: Chance) {
  const groups = chance.is(0.2) ? { groups: chance.some(['admin', 'user'], 0.6) } : {};
  const since = chance.is(0.1) ? { since: chance.below(3) } : {};
  const until = chance.is(0.1) ? { until: chance.below(4) } : {};
  return { ...groups, ...since, ...until, ...sideOptions(chance) };
}

function sideOptions(chance: Chance) {
  const toPlainOnly = chance.is(0.15) ? { toPlainOnly: chance.is(0.8) } : {};
  const toClassOnly = chance.is(0.1) ? { toClassOnly: chance.is(0.8) } : {};
  return { ...toPlainOnly, ...toClassOnly };
}

interface Given {
  readonly value: unknown;
  readonly key: string;
  readonly obj: Record<string, unknown>;
  readonly options: object;
}

function changing({ value, obj, key }: Given): unknown {
  obj[key] = 'changed';
  return value;
}

const transforms: readonly ((given: Given) => unknown)[] = [
  ({ value }) => value,
  ({ value }) => (typeof value === 'string' ? `${value.slice(0, 2)}***` : value),
  ({ value }) => typeof value,
  ({ value, key }) => ({ [key]: value }),
  ({ obj }) => Object.keys(obj).length,
  ({ value }) =>
    value instanceof Map ? [...value] : Array.isArray(value) ? new Map(value.entries()) : value,
  changing,
  ({ options }) => Object.entries(options).length,
  () => undefined,
  () => new Date(86_400_000),
  () => () => 'a function',
  ({ value }) => {
    if (value === null) throw new RangeError('a transform threw');
    return value;
  },
];

function transformOf(chance: Chance): (given: Given) => unknown {
  return chance.is(0.7) ? transforms[chance.below(3)] : chance.one(transforms);
}

function forget(classes: readonly MadeClass[]): void {
  const held: object = module;
  const storage: Record<string, Map<unknown, unknown>> = Reflect.get(held, 'defaultMetadataStorage');
  for (const book of [
    '_typeMetadatas',
    '_transformMetadatas',
    '_exposeMetadatas',
    '_excludeMetadatas',
    '_ancestorsMap',
  ]) {
    for (const one of classes) storage[book].delete(one);
  }
}
