import type { Chance } from './chance.ts';
import { type ClassTree, type MadeClass, PROPERTIES } from './class-tree.ts';

const ODD_KEYS = ['10', '2', 'x-y', 'toJSON', '', 'kind', 'é"\\'];
const STRINGS = [
  '',
  'a',
  'plain',
  'some longer text without anything odd in it, longer than sixty-four characters',
  'thirty characters, all of them',
  '"quoted" \\ \n',
  '\ud800',
  'pair \u{1f600}',
  '\u2028',
  'é',
];
const NUMBERS = [0, -0, 1, -1.5, 1e21, 1e-7, Number.NaN, Infinity, -Infinity, 2 ** 53];

/** The keys of most instances, so that their orders are met again. */
const ORDERS = [PROPERTIES, PROPERTIES.toReversed(), PROPERTIES.slice(2, 8), []];

/** Makes an instance of a class, or a list of them; deeper down, anything at all. */
export function makeRoot(chance: Chance, tree: ClassTree): unknown {
  if (chance.is(0.7)) return makeInstance(chance, tree, chance.one(tree.classes), 0);
  if (chance.is(0.8)) return makeList(chance, () => makeInstance(chance, tree, chance.one(tree.classes), 0));
  return makeValue(chance, tree, 0);
}

/** Makes what a route that declares `type` might be handed: rows of a store mostly, with rows in them. */
export function makeAnswer(chance: Chance, tree: ClassTree, type: MadeClass): unknown {
  if (chance.is(0.1)) return withoutPrototypes(makeRoot(chance, tree));
  const make = () => asRow(chance, withoutPrototypes(makeInstance(chance, tree, type, 0)));
  return chance.is(0.5) ? make() : makeList(chance, make);
}

/** No store has such a column, and what is made an instance of is not to change what it is. */
function withoutPrototypes<Value>(value: Value, seen = new Set<unknown>()): Value {
  if (typeof value !== 'object' || value === null || seen.has(value)) return value;
  seen.add(value);
  Reflect.deleteProperty(value, '__proto__');
  const parts: unknown[] =
    value instanceof Map || value instanceof Set ? [...value.values()] : Object.values(value);
  for (const part of parts) withoutPrototypes(part, seen);
  return value;
}

function asRow(chance: Chance, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || chance.is(0.05)) return value;
  if (Array.isArray(value)) return value.map((one) => asRow(chance, one));
  if (!value.constructor?.name.startsWith('Made')) return value;
  const entries = Object.entries(value).map(([key, part]) => [
    key,
    part === value ? null : asRow(chance, part),
  ]);
  return chance.is(0.1)
    ? Object.assign(Object.create(null), Object.fromEntries(entries))
    : Object.fromEntries(entries);
}

function makeInstance(chance: Chance, tree: ClassTree, type: MadeClass, depth: number): object {
  const made = new type();
  const keys = chance.is(0.95) ? [...chance.one(ORDERS)] : chance.some(PROPERTIES, 0.7);
  if (chance.is(0.03)) keys.push(chance.one(ODD_KEYS));
  for (const key of keys) Reflect.set(made, key, makeField(chance, tree, key, depth));
  if (chance.is(0.0002)) Reflect.set(made, 'a', made);
  return made;
}

function makeField(chance: Chance, tree: ClassTree, key: string, depth: number): unknown {
  if (chance.is(tree.isTidy ? 0.03 : 0.15)) return makeValue(chance, tree, depth + 1);
  if (key === 'id' || key === 'b') return chance.below(1000);
  if (key === 'at') return new Date(Math.floor(chance.next() * 4e12) - 1e12);
  if (key === 'part') return makePart(chance, tree, depth);
  if (key === 'parts') return makeList(chance, () => makePart(chance, tree, depth));
  return chance.one(STRINGS);
}

function makePart(chance: Chance, tree: ClassTree, depth: number): unknown {
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

function makeValue(chance: Chance, tree: ClassTree, depth: number): unknown {
  if (chance.is(0.3)) return chance.one(STRINGS);
  if (chance.is(0.3)) return chance.one(NUMBERS);
  if (chance.is(0.4)) return chance.one([true, false, null, undefined]);
  if (depth >= 3) return 'deep';
  return chance.one(rare)(chance, tree, depth);
}

class OwnDate extends Date {}

class OwnList extends Array<number> {}

class Undecorated {
  constructor(readonly held: unknown) {}
}

type Make = (chance: Chance, tree: ClassTree, depth: number) => unknown;

const rare: readonly Make[] = [
  (chance, tree, depth) => makeInstance(chance, tree, chance.one(tree.classes), depth + 1),
  (chance, tree, depth) => makeList(chance, () => makeValue(chance, tree, depth + 1)),
  (chance, tree, depth) => ({ a: makeValue(chance, tree, depth + 1), 2: 'two', é: 1 }),
  (chance, tree, depth) => Object.assign(Object.create(null), { a: makeValue(chance, tree, depth + 1) }),
  (chance, tree, depth) => new Undecorated(makeValue(chance, tree, depth + 1)),
  (chance, tree, depth) => new Map([['one', makeValue(chance, tree, depth + 1)]]),
  (chance, tree, depth) => new Map([[1, makeInstance(chance, tree, chance.one(tree.classes), depth + 1)]]),
  (chance, tree, depth) => new Set([makeValue(chance, tree, depth + 1), 1]),
  (chance, tree, depth) => new Set([makeInstance(chance, tree, chance.one(tree.classes), depth + 1)]),
  () => new Date(Number.NaN),
  () => new Date(8.64e15),
  () => Buffer.from('bytes'),
  () => new Uint8Array([1, 2]),
  () => Promise.resolve(1),
  () => Symbol.for('odd'),
  () => 10n,
  () => () => 'called',
  () => () => ({ deep: () => 1 }),
  () => new String('boxed'),
  () => new Error('held'),
  () => /expression/,
  () => ({ toJSON: () => 'own way' }),
  () => ({ toJSON: () => () => 'own way' }),
  () => ({ then: 1 }),
  () => ({ then: () => 1 }),
  () => ({ constructor: 1 }),
  () => JSON.parse('{"__proto__":{"a":1},"b":2}'),
  () => Undecorated,
  () => new OwnDate(5),
  () => new OwnList(3),
];
