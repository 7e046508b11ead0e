import type { Chance } from './chance.ts';

/** The strings that JSON escapes or writes in a special way, of every kind. */
export const STRINGS = [
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

/** The contents of unusual values. */
export interface Inside {
  readonly any: () => unknown;
  readonly instance: () => object;
  readonly list: () => unknown[];
}

/** Generates a value of any kind. From a certain depth on, it generates only values without nested values. */
export function makeOdd(chance: Chance, depth: number, inside: Inside): unknown {
  if (chance.is(0.3)) return chance.one(STRINGS);
  if (chance.is(0.3)) return chance.one(NUMBERS);
  if (chance.is(0.4)) return chance.one([true, false, null, undefined]);
  if (depth >= 3) return 'deep';
  return chance.is(0.4) ? chance.one(holders)(inside) : chance.one(oddities)();
}

class OwnDate extends Date {}

class LoudDate extends Date {
  override toISOString(): string {
    return 'loud';
  }
  override valueOf(): number {
    return 7;
  }
}

class OwnList extends Array<number> {}

class OwnMap extends Map<string, number> {}

class Undecorated {
  constructor(readonly content: unknown) {}
}

class SelfWriting {
  readonly held = 1;

  toJSON(): unknown {
    return { written: this.held };
  }
}

const holders: readonly ((inside: Inside) => unknown)[] = [
  ({ instance }) => instance(),
  ({ list }) => list(),
  ({ any }) => ({ a: any(), 2: 'two', é: 1 }),
  ({ any }) => Object.assign(Object.create(null), { a: any() }),
  ({ any }) => new Undecorated(any()),
  ({ any }) => new Map([['one', any()]]),
  ({ instance }) => new Map([[1, instance()]]),
  ({ any }) => new Set([any(), 1]),
  ({ instance }) => new Set([instance()]),
  ({ any }) => Object.assign([any()], { toJSON: () => 'own way' }),
  ({ any }) => Object.freeze([any(), any()]),
  ({ instance }) => Object.create(instance()),
];

const oddities: readonly (() => unknown)[] = [
  () => new Date(Number.NaN),
  () => new Date(8.64e15),
  () => new Date(-1e14),
  () => Buffer.from('bytes'),
  () => new Uint8Array([1, 2]),
  () => Promise.resolve(1),
  () => Symbol.for('odd'),
  () => 10n,
  () => () => 'called',
  () => () => ({ deep: () => 1 }),
  () => new String('boxed'),
  () => new Number(3),
  () => new Boolean(false),
  () => Object(1n) as unknown,
  () => new Error('held'),
  () => /expression/,
  () => new URL('https://a.co/b'),
  () => ({ toJSON: () => 'own way' }),
  () => ({ toJSON: () => () => 'own way' }),
  () => ({ toJSON: 'no way' }),
  () => ({ then: 1 }),
  () => ({ then: () => 1 }),
  () => ({ constructor: 1 }),
  () => ({ [Symbol.for('odd')]: 1, a: -0 }),
  () => JSON.parse('{"__proto__":{"a":1},"b":2}') as unknown,
  () => Undecorated,
  () => new SelfWriting(),
  () => new OwnDate(5),
  () => new LoudDate(5),
  () => Object.assign(new Date(5), { toJSON: () => 'own way' }),
  () => new OwnList(3),
  () => new OwnMap([['one', 1]]),
];
