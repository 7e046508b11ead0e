import 'reflect-metadata';
import { Expose, Transform, Type } from 'class-transformer';
import * as cv from 'class-validator';
import { declare, type Input } from '../../testing/validation/declare';
import { unlikeLibrary } from '../../testing/validation/equality';
import { compileValidator } from './validators/compile-validator';

const named = (name: unknown): Input =>
  Object.defineProperty(class {}, 'name', { get: () => name, configurable: true });

const part = declare(class Part {}, { n: [cv.IsInt()] });
const numbered = declare(named(5), { n: [cv.IsInt({ message: '$target.n' })] });
const SECRET = Symbol('secret');

const entries = declare(class Entries extends Map<string, unknown> {}, {
  n: [cv.IsOptional(), cv.IsInt(), Type(() => Number)],
});

const byField = Type(() => part, {
  discriminator: {
    property: 'is',
    subTypes: [
      { value: numbered, name: 'numbered' },
      { value: undefined as never, name: 'loaded too late' },
    ],
  },
});
const discriminated = declare(class Discriminated {}, { raw: [cv.ValidateNested(), byField] });

class Computed {
  get raw() {
    return { n: 1 };
  }
}

/** A declaration, its class, and inputs. */
const ODD: [what: string, type: Input, ...inputs: unknown[]][] = [
  ['a class whose static name is a number', numbered, { n: 1 }, { n: 'x' }],
  [
    'a rule of dates with null for options',
    declare(class Dated {}, { at: [cv.IsISO8601(null as never)], on: [cv.IsDateString(null as never)] }),
    { at: '2026-11-23', on: '2026-11-23' },
    { at: 1 },
  ],
  [
    'a class whose static name is a function',
    declare(
      named(() => 'a'),
      { n: [cv.IsInt()] },
    ),
    { n: 1 },
    {},
  ],
  ['a Map with rules', entries, { n: '1', more: [1], size: 2, get: 3 }, {}],
  [
    'a part that is a Map',
    declare(class Holder {}, {
      raw: [cv.ValidateNested(), Type(() => entries)],
      list: [cv.IsOptional(), cv.ValidateNested({ each: true }), Type(() => entries)],
    }),
    { raw: { n: 1 }, list: [{ n: 'x' }] },
    { raw: new Map([['n', 1]]) },
  ],
  [
    'a part whose static name is a number',
    declare(class Whole {}, { raw: [cv.ValidateNested(), Type(() => numbered)] }),
    { raw: { n: 1 } },
    { raw: [{ n: 'x' }] },
  ],
  [
    'a transform that reads its `this`',
    declare(class Bound {}, {
      notified: [
        Transform(function (this: object) {
          return Object.keys(this);
        }),
      ],
      raw: [cv.ValidateNested(), Type(() => part)],
    }),
    { notified: 1, raw: { n: 1 } },
    { notified: 1, raw: [{ n: 'x' }] },
  ],
  [
    'a type function that reads its `this`',
    declare(class Asking {}, {
      raw: [
        cv.ValidateNested(),
        Type(function (this: object | undefined) {
          return Reflect.get(this ?? {}, 'propertyName') === 'raw' ? part : numbered;
        }),
      ],
      other: [
        Type(function (this: object) {
          return Reflect.has(this, 'reflectedType') ? Date : Number;
        }),
      ],
    }),
    { raw: { n: 1 }, other: '5' },
    { raw: [{ n: 'x' }], other: ['5'] },
  ],
  [
    'frozen options of an address',
    declare(class Frozen {}, { at: [cv.IsEmail(Object.freeze({}))], n: [cv.IsInt()] }),
    { at: 'ada@example.org', n: 1 },
    { at: 'ada', n: 'x' },
    { n: 'x' },
  ],
  [
    'properties that are symbols',
    declare(class Secret {}, {
      n: [cv.IsInt()],
      [SECRET]: [Expose({ name: 'secret' }), Transform(({ value }) => [value]), cv.IsInt()],
      [Symbol.for('other')]: [Type(() => Date), Expose()],
      [Symbol.for('last')]: [Type(() => Date)],
    }),
    { n: 1 },
    { n: 'x', secret: 1, [Symbol.for('other')]: 0, [Symbol.for('last')]: 0 },
  ],
  [
    'an exposed property without rules that is a symbol',
    declare(class Exposed {}, { n: [cv.IsInt()], [SECRET]: [Expose()] }),
    { n: 1, [SECRET]: 0 },
    { n: 'x', [SECRET]: { a: 1 } },
  ],
  [
    'a part of the class of all objects',
    declare(class Open {}, { raw: [Expose(), Type(() => Object)], all: [Expose(), Type(() => Array)] }),
    { raw: { a: { b: 1 } }, all: [1, { a: 1 }] },
    { raw: [{ a: 1 }, 'x'], all: { a: [1] } },
  ],
  [
    'a property that another one sets',
    declare(
      class Linked {
        constructor() {
          const set = (value: unknown) => void Reflect.set(this, 'n', value);
          Object.defineProperty(this, 'last', { set, get: () => 1, enumerable: true });
        }

        isLinked(): boolean {
          return 'last' in this;
        }
      },
      { n: [cv.IsInt()], last: [cv.IsInt()] },
    ),
    { n: 'x', last: 1 },
    { n: 1, last: 'x' },
  ],
  [
    'an accessor that sets a property without rules',
    declare(
      class Setting {
        get last(): unknown {
          return 1;
        }
        set last(value: unknown) {
          Reflect.set(this, 'isAdmin', value);
        }
      },
      { n: [cv.IsInt()], last: [cv.IsInt()] },
    ),
    { n: 1, last: 2 },
    { n: 1, last: 'x' },
  ],
  [
    'exposed properties without rules, one with a number for a name',
    declare(class Numbered {}, { n: [cv.IsInt()], 7: [Expose()], z: [Expose()] }),
    { n: 1, more: 2, z: 1 },
    { 5: 1, n: 'x', more: 2 },
  ],
  [
    'a property with two keys',
    declare(class Twice {}, { n: [Expose({ name: 'other' }), cv.IsInt(), cv.Min(2)] }),
    { n: 'x', other: 3 },
    { n: 3, other: 1 },
    { other: 3, n: 1 },
    { other: 'x', n: 3 },
  ],
  ['a class for some values that is not there', discriminated, { raw: { is: 'loaded too late', n: 'x' } }],
  [
    'a class by a field, which is removed also of what is not set',
    declare(Computed, { raw: [byField] }),
    { raw: { is: 'numbered', n: 1 } },
  ],
  ['a class by a field of a frozen value', discriminated, { raw: Object.freeze({ is: 'numbered', n: 1 }) }],
];

describe('what is rarely declared', () => {
  it.each(ODD)('has the results of the libraries: %s', async (...odd) => {
    const [title, type, ...inputs] = odd as unknown as (typeof ODD)[number];
    const { how, why } = compileValidator(type).explain();
    const reason: unknown = expect.stringContaining('has a name that is not a text');
    expect([how, why]).toEqual(title.includes('symbol') ? ['library', reason] : ['code', undefined]);
    const strict = { whitelist: true, forbidNonWhitelisted: true };
    for (const input of inputs)
      for (const options of [{}, strict, { transformOptions: { excludeExtraneousValues: true } }])
        expect(await unlikeLibrary(type, options, () => copyOf(input))).toBeUndefined();
  });

  it('a list that an absent property passes is read at each validation', async () => {
    const refused: unknown[] = ['a'];
    const type = declare(class Choosy {}, { n: [cv.IsNotIn(refused)] });
    const validator = compileValidator(type);
    expect(validator.check({})).toHaveProperty('value');
    refused.push(undefined);
    expect(await unlikeLibrary(type, {}, () => ({}), validator)).toBeUndefined();
  });
});

/** A copy for each side, because a discriminator is deleted. A frozen value remains frozen. */
function copyOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  const result: object = Array.isArray(value) ? [] : {};
  for (const key of Reflect.ownKeys(value))
    if (key !== 'length') Reflect.set(result, key, copyOf(Reflect.get(value, key)));
  return result;
}
