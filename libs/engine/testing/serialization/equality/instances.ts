import type { Chance } from './chance.ts';
import type { ClassTree } from './class-tree.ts';
import type { MadeClass } from './decorate.ts';
import { makeForeign } from './foreign.ts';
import { makeOdd, STRINGS } from './odd-values.ts';

const ODD_KEYS = ['10', '2', 'x-y', 'toJSON', '', 'kind', 'é"\\'];

/** The source from which instances are generated. */
export interface InstanceSource extends ClassTree {
  /** The probability that an instance refers to itself; without the circular check such instances are slow. */
  readonly circles: number;
}

/** Generates a class instance or a list, with any kind of nested values. */
export function makeRoot(chance: Chance, tree: InstanceSource): unknown {
  if (chance.is(0.7)) return makeInstance(chance, tree, chance.one(tree.classes), 0);
  if (chance.is(0.8)) return makeList(chance, () => makeInstance(chance, tree, chance.one(tree.classes), 0));
  return makeValue(chance, tree, 0);
}

/** Generates a possible return value for a route with class `type`: mostly store rows, with nested rows. */
export function makeAnswer(chance: Chance, tree: InstanceSource, type: MadeClass): unknown {
  if (chance.is(0.1)) return withoutPrototypes(makeRoot(chance, tree));
  const make = () => asRow(chance, withoutPrototypes(makeInstance(chance, tree, type, 0)));
  return chance.is(0.5) ? make() : makeList(chance, make);
}

/** Removes `__proto__` properties, because stores have no such column, and an instance must keep its prototype. */
function withoutPrototypes<Value>(value: Value, seen = new Set<unknown>()): Value {
  if (typeof value !== 'object' || value === null || seen.has(value)) return value;
  seen.add(value);
  Reflect.deleteProperty(value, '__proto__');
  const parts: unknown[] =
    value instanceof Map || value instanceof Set ? [...value.values()] : Object.values(value);
  for (const part of parts) withoutPrototypes(part, seen);
  return value;
}

/** Returns a value as a row, because a row does not contain itself. */
function asRow(chance: Chance, value: unknown, path: readonly unknown[] = []): unknown {
  if (typeof value !== 'object' || value === null || chance.is(0.05)) return value;
  if (path.includes(value)) return null;
  const inside = [...path, value];
  if (Array.isArray(value)) return value.map((item) => asRow(chance, item, inside));
  if (!isMade(value)) return value;
  const entries = Object.entries(value).map(([key, part]) => [key, asRow(chance, part, inside)]);
  const row: object = Object.fromEntries(entries);
  if (chance.is(0.15)) return makeForeign(chance, row);
  return chance.is(0.1) ? Object.assign(Object.create(null), row) : row;
}

function isMade({ constructor: type }: object): boolean {
  return typeof type === 'function' && type.name.startsWith('Made');
}

/** Generates an instance of a class with typical field values. */
export function makeInstance(chance: Chance, tree: InstanceSource, type: MadeClass, depth: number): object {
  const instance = new type();
  const keys = chance.is(0.95) ? [...chance.one(tree.orders)] : chance.some(tree.properties, 0.7);
  if (chance.is(0.03)) keys.push(chance.one(ODD_KEYS));
  for (const key of keys) Reflect.set(instance, key, makeField(chance, tree, key, depth));
  if (chance.is(0.01)) change(chance, instance);
  if (chance.is(tree.circles)) close(chance, tree, instance);
  return instance;
}

/** Makes changes that are not visible in the fields. */
function change(chance: Chance, instance: object): void {
  const how = chance.below(4);
  if (how === 0) Reflect.set(instance, Symbol.for('odd'), 1);
  if (how === 1) Object.defineProperty(instance, 'hidden', { value: 1, enumerable: false });
  if (how === 2) Object.defineProperty(instance, 'kept', { get: () => 'its own getter', enumerable: true });
  if (how === 3) Object.freeze(instance);
}

/** Makes an instance refer to itself, directly or through a part. */
function close(chance: Chance, tree: InstanceSource, instance: object): void {
  const key = chance.one(tree.properties);
  const part: unknown = Reflect.get(instance, chance.one(['part', 'parts']));
  if (chance.is(0.5) && typeof part === 'object' && part !== null) Reflect.set(part, key, instance);
  else
    Reflect.set(
      instance,
      key,
      chance.one([instance, [instance], { held: instance }, new Map([['m', instance]]), new Set([instance])]),
    );
}

function makeField(chance: Chance, tree: InstanceSource, key: string, depth: number): unknown {
  if (chance.is(tree.isTypical ? 0.03 : 0.15)) return makeValue(chance, tree, depth + 1);
  if (key === 'id' || key === 'b') return chance.below(1000);
  if (key === 'at') return new Date(Math.floor(chance.next() * 4e12) - 1e12);
  if (key === 'part') return makePart(chance, tree, depth);
  if (key === 'parts') return makeList(chance, () => makePart(chance, tree, depth));
  return chance.one(STRINGS);
}

function makePart(chance: Chance, tree: InstanceSource, depth: number): unknown {
  if (depth >= 2 || chance.is(0.4)) return null;
  const part = makeInstance(chance, tree, chance.one(tree.classes), depth + 1);
  return chance.is(0.25) ? { ...part } : part;
}

function makeList(chance: Chance, make: () => unknown): unknown[] {
  const list = Array.from({ length: chance.below(3) }, make);
  if (chance.is(0.05)) Reflect.deleteProperty(list, 0);
  if (chance.is(0.05)) list.push(undefined, null, [make()]);
  return list;
}

/** Generates any value. */
function makeValue(chance: Chance, tree: InstanceSource, depth: number): unknown {
  return makeOdd(chance, depth, {
    any: () => makeValue(chance, tree, depth + 1),
    instance: () => makeInstance(chance, tree, chance.one(tree.classes), depth + 1),
    list: () => makeList(chance, () => makeValue(chance, tree, depth + 1)),
  });
}
