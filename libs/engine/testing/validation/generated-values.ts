import type { Random } from './random';

const TEXTS = [
  '',
  ' ',
  'a',
  'ab',
  'abc',
  'abcde',
  'abcdefgh',
  '0',
  '1',
  '12',
  '-1',
  '1.5',
  '1e3',
  'true',
  'false',
  'null',
  'ann@example.org',
  'Ann.Lee+tag@sub.example.co',
  'ann@example',
  '@example.org',
  'ann@@example.org',
  'a@b.c1',
  'a@-b.co',
  'a@b-.co',
  'a@b_c.co',
  'ä@example.org',
  '"a b"@example.org',
  'a@xn--80ak6aa92e.com',
  'a@b.xn--p1ai',
  '.a@b.co',
  'a..b@b.co',
  'a.@b.co',
  'a@b..co',
  'a@b.co.',
  'a b@c.de',
  'a@1.2',
  'a@b.c',
  '\ud800@a.co',
  'a@\ud800.co',
  '7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a',
  '00000000-0000-0000-0000-000000000000',
  'not-a-uuid',
  '2024-02-29T12:30:15.123Z',
  '2023-02-29',
  '2023-13-01',
  '2024-W07-3',
  '20240229',
  '2024-02-29T25:00:00Z',
  'x'.repeat(70),
  `${'x'.repeat(60)}@${'y'.repeat(63)}.com`,
  `${'x'.repeat(65)}@b.co`,
  'a@' + 'b'.repeat(64) + '.co',
  '👍',
  '👍👍👍',
  '☝️',
  'e\u0301',
  '\ufe0f',
  'a\ufe0f\ufe0f',
  '\ud83d',
  '$property',
  '$&',
  '$$',
  '$constraint1 $value',
  'red',
  'blue',
  'toString',
  '__proto__',
  'caffè',
  'a\nb',
  'aaa',
  'AbC',
] as const;

const NUMBERS = [
  0,
  -0,
  1,
  2,
  3,
  5,
  7,
  10,
  -1,
  1.5,
  0.1,
  1e21,
  1e-7,
  2 ** 53,
  -5,
  100,
  Number.NaN,
  Infinity,
  -Infinity,
];

const returnsOne = () => 1;
const never = (): void => undefined;
const atOnce = (resolve: (value: unknown) => void): void => resolve('abc');

const ODD = [
  () => new Date(0),
  () => new Date(Number.NaN),
  () => new Set([1, 'a']),
  () => new Map([['k', 'abc']]),
  () => Object('text') as unknown,
  () => Object(1) as unknown,
  () => Object(true) as unknown,
  () => 12n,
  () => Symbol.for('s'),
  () => Buffer.from('ab'),
  () => Object.create(null) as unknown,
  () => returnsOne,
  () => Promise.resolve('abc'),
  () => ({ then: 1 }),
  () => ({ then: never }),
  () => ({ then: atOnce }),
  () => ({ constructor: 1 }),
  () => ({ constructor: { name: 'X' } }),
  () => ({ toString: 1 }),
  () => ({ hasOwnProperty: 1 }),
  () => [undefined, , 1],
  () => new Map([[{}, { a: 1 }]]),
  () => new Uint8Array(2),
  () => JSON.parse('{"__proto__": {"a": 1}, "b": 2}') as unknown,
  () => /a/,
  () => new Error('odd'),
];

/** Undeclared names. Most of them are members that every object has. */
export const RESERVED_NAMES = [
  'extra',
  'other',
  'hasOwnProperty',
  'toString',
  'valueOf',
  'constructor',
  '__proto__',
  'then',
  '0',
  '10',
  'isPrototypeOf',
  '__defineGetter__',
  '',
];

/** Returns any value. Most values are JSON values. */
export function anyValue(random: Random, depth = 0): unknown {
  const kind = random.below(100);
  if (kind < 40) return random.pick(TEXTS);
  if (kind < 60) return random.pick(NUMBERS);
  if (kind < 68) return random.chance(50);
  if (kind < 74) return null;
  if (kind < 78) return undefined;
  if (kind < 81) return random.pick(ODD)();
  if (depth > 2) return 'deep';
  if (kind < 91) return Array.from({ length: random.below(4) }, () => anyValue(random, depth + 1));
  return anyObject(random, depth);
}

function anyObject(random: Random, depth: number): object {
  const names = random.some([...RESERVED_NAMES, 'p0', 'p1', 'p2'], 15);
  return fieldsOf(random.shuffled(names), () => anyValue(random, depth + 1));
}

const FIELD = { configurable: true, enumerable: true, writable: true };

/** Creates a plain object with own fields under these names, whatever the names mean otherwise. */
export function fieldsOf(names: readonly string[], valueOf: (name: string) => unknown): object {
  const fields: Record<string, unknown> = {};
  for (const name of names) {
    if (name === '__proto__') Object.defineProperty(fields, name, { ...FIELD, value: valueOf(name) });
    else fields[name] = valueOf(name);
  }
  return fields;
}

/** Changes a text: cuts it, doubles it, or changes a character. */
export function mutated(random: Random, text: string): string {
  const at = random.below(text.length + 1);
  const inserted = random.pick([
    '',
    'a',
    '@',
    '.',
    '-',
    '_',
    '"',
    ' ',
    'Z',
    '9',
    'é',
    '\ud83d',
    '👍',
    '\ufe0f',
    '+',
    '\n',
    '$',
  ]);
  const cut = random.below(3);
  return text.slice(0, at) + inserted + text.slice(at + cut);
}
