import 'reflect-metadata';
import { Exclude, Expose, plainToInstance, Transform, Type } from 'class-transformer';
import * as cv from 'class-validator';
import { declare, type Input } from '../../testing/validation/declare';
import { unlikeLibrary } from '../../testing/validation/equality';
import { compileValidator } from './validators/compile-validator';
import * as dropIn from './validators/drop-in';
import type { CompileOptions } from './plan/settings';

const strict = { whitelist: true, forbidNonWhitelisted: true };
const sync = { ignoreAsync: true };

class Grandparent {}
class Parent extends Grandparent {}
class Child extends Parent {}
class Grandchild extends Child {}
declare(Grandparent, { a: [cv.IsString(), cv.Min(3)], b: [cv.IsInt()] });
declare(Parent, { a: [cv.IsInt()], c: [cv.IsDefined(), cv.IsOptional()] });
declare(Child, { b: [cv.IsString({ groups: ['x'] })] });

const part = declare(class Part {}, { n: [cv.IsInt(), cv.Min(1)], m: [cv.IsOptional(), cv.IsString()] });
const otherPart = declare(class OtherPart {}, { z: [cv.IsString()] });
const nested = declare(class Nested {}, {
  parts: [cv.IsArray(), cv.ValidateNested({ each: true }), Type(() => part)],
  one: [cv.IsOptional(), cv.ValidateNested(), Type(() => part)],
});
const twice = declare(class Twice {}, { one: [cv.ValidateNested(), cv.ValidateNested(), Type(() => part)] });
const tokens = declare(class Tokens {}, {
  a: [cv.Length(1, 2, { message: '$target.$property: $value $constraint1 $constraint2 $constraint10' })],
  b: [cv.IsIn(['$property', '$&', '$$'])],
  c: [cv.IsInt({ message: '' }), cv.Matches(/^a$/)],
});
const contexts = declare(class Contexts {}, {
  a: [cv.IsInt({ context: { code: 1 } }), cv.Min(2, { context: { low: true } })],
});
const promised = declare(class Promised {}, {
  a: [cv.ValidatePromise(), cv.IsString()],
  b: [
    cv.IsInt(),
    cv.ValidateBy({ name: 'slow', validator: { validate: (value) => Promise.resolve(value === 1) } }),
  ],
  c: [cv.IsString()],
});
const members = declare(
  class Members {
    total() {
      return 1;
    }
    get sum() {
      return 2;
    }
  },
  {
    total: [cv.IsOptional()],
    sum: [cv.IsOptional()],
    a: [cv.IsInt()],
  },
);
const exposed = declare(class Exposed {}, {
  inner: [Expose({ name: 'outer' }), cv.IsString()],
  grouped: [Expose({ groups: ['x'] }), cv.IsOptional()],
  since: [Expose({ since: 2 }), cv.IsOptional()],
  hidden: [Exclude(), cv.IsOptional()],
});
@Exclude()
class Closed {}
declare(Closed, { a: [cv.IsInt()], b: [Expose(), cv.IsOptional()] });
class Opened extends Closed {}
const transformed = declare(class Transformed {}, {
  a: [Transform(({ value }) => Number(value)), Transform(({ value }) => `${String(value)}1`), cv.IsInt()],
  late: [Transform(({ obj }) => Object.keys(obj as object).length), cv.IsOptional()],
});
const dynamic = declare(class Dynamic {}, {
  kind: [cv.IsString()],
  raw: [
    cv.ValidateNested(),
    Type((help) => ((help?.object as { kind?: string } | undefined)?.kind === 'part' ? part : otherPart)),
  ],
});
const discriminated = declare(class Discriminated {}, {
  raw: [
    cv.ValidateNested(),
    Type(() => part, {
      discriminator: {
        property: 'is',
        subTypes: [
          { value: part, name: 'p' },
          { value: otherPart, name: 'o' },
        ],
      },
    }),
  ],
});
const converted = declare(class Converted {}, {
  when: [Type(() => Date), cv.IsDate()],
  count: [Type(() => Number), cv.IsInt()],
  flag: [Type(() => Boolean), cv.IsBoolean()],
  tags: [Type(() => String), cv.IsString({ each: true })],
});
const free = declare(class Free {}, { any: [cv.Allow()], list: [cv.IsString({ each: true })] });
const mail = declare(class Mail {}, {
  email: [cv.IsEmail()],
  all: [cv.IsOptional(), cv.IsEmail({}, { each: true })],
});
const conditional = declare(class Conditional {}, {
  a: [cv.ValidateIf((object: { b?: unknown }) => object.b === 1), cv.IsInt()],
  b: [cv.IsInt({ validateIf: (_, value) => value !== 'skip' })],
});
const defaults = declare(
  class Defaults {
    page = 1;
    tags: unknown[] = [];
  },
  { page: [cv.IsInt()], tags: [cv.IsArray()] },
);
@cv.ValidatorConstraint({ name: 'even' })
class Even implements cv.ValidatorConstraintInterface {
  validate(value: unknown) {
    return Number(value) % 2 === 0;
  }
}
class Forgotten {}
const own = declare(class Own {}, { a: [cv.Validate(Even)], b: [cv.Validate(Forgotten)] });

const renamed = declare(class Renamed {}, {
  inner: [Expose({ name: 'outer' })],
  n: [cv.IsInt()],
});

/** Validated when they are complete; the whitelist does not reach `loose`, nor `again` inside itself. */
const validatedLate = { n: [cv.ValidateIf(() => true), cv.IsInt()] };
const outer = declare(class Outer {}, { ...validatedLate, loose: [cv.IsOptional(), Type(() => part)] });
const again: Input = declare(class Again {}, {
  ...validatedLate,
  again: [cv.IsOptional(), Type(() => again)],
});
const unknownValues = [
  ...[1, 'text', true, null, undefined, Symbol.iterator, 7n, () => 1],
  ...[[null, 1], [{ a: [1] }], { a: { b: null } }, [, 1], { constructor: 1 }, { m: { constructor: 1 } }],
  ...[{ then: () => 1 }, new Date(0), new Map([['a', 1]]), new Set([1]), Object.create(null)],
  ...[JSON.parse('{"__proto__": {"a": 1}}'), JSON.parse('[[[[[[[[[[[{}]]]]]]]]]]]')],
].map((value: unknown) => ({ n: 1, a: value, loose: { n: 1, a: value }, again: { n: 1, a: value } }));

/** Edge cases by number: a class, options, and inputs. */
const CORNERS: readonly (readonly [
  corner: number,
  type: Input,
  options: CompileOptions,
  ...inputs: unknown[],
])[] = [
  [1, Grandchild, strict, { a: 1, b: 'x' }, { a: 'x', b: 1, c: null }, {}],
  [1, Grandchild, { groups: ['x'] }, { a: 1, b: 'x' }, { b: 1 }],
  [2, tokens, { groups: [] }, { a: 'abc' }],
  [2, Child, { strictGroups: true, always: true }, { b: 1 }, { a: 'x' }],
  [3, class Empty {}, {}, {}, { a: 1 }],
  [3, class Empty {}, { forbidUnknownValues: false, whitelist: true }, { a: 1 }],
  [3, class Empty {}, { validationError: { target: false, value: false } }, {}],
  [4, part, strict, { hasOwnProperty: 1, toString: 2, n: 1 }, JSON.parse('{"__proto__": {}, "n": 1}')],
  [4, part, { whitelist: true }, { n: 1, x: { y: 1 }, isPrototypeOf: 1 }, { n: 1, x: { constructor: 1 } }],
  [4, declare(class Named {}, { toString: [cv.IsOptional()] }), strict, {}],
  [5, conditional, strict, { a: 'x', b: 1 }, { a: 'x', b: 2 }, { b: 'skip' }],
  [6, Parent, { skipMissingProperties: true }, {}, { a: null, c: null }],
  [6, Parent, { skipNullProperties: true }, { a: null }, {}],
  [6, nested, { skipUndefinedProperties: true }, {}, { parts: [null, undefined] }],
  [
    7,
    nested,
    { ...strict, stopAtFirstError: true },
    { parts: {}, one: 1, x: 1 },
    { parts: [{ n: 'a' }], one: {} },
  ],
  [8, promised, {}, { a: 1, b: 2, c: 3 }, { b: 1, c: 'x' }],
  [9, promised, {}, { a: Promise.resolve(1), b: 'x', c: 1 }],
  [
    10,
    free,
    strict,
    { list: ['a', 1] },
    { list: 'a' },
    { list: new Set(['a', 1]) },
    { list: new Map([['k', 1]]) },
  ],
  [
    11,
    nested,
    strict,
    { parts: [{ n: 1 }, null, 7, [{ n: 0 }]] },
    { parts: { n: 1 } },
    { parts: [, { n: 0 }] },
  ],
  [
    11,
    nested,
    strict,
    { parts: [], one: () => 1 },
    { parts: new Set([{ n: 0 }]) },
    { parts: [], one: Object.create(null) },
  ],
  [11, twice, strict, { one: { n: 'x' } }, { one: [{ n: 0 }] }],
  [12, tokens, strict, { a: '$property $&', b: 1, c: 'x' }, { a: 12345, b: '$$', c: 1 }],
  [12, tokens, { dismissDefaultMessages: true }, { b: 1, c: 'x' }],
  [13, contexts, strict, { a: 'x' }, { a: 1 }],
  [14, own, strict, { a: 1, b: 2 }, { a: 2 }],
  [15, nested, { validationError: { target: false } }, { parts: [{ n: 0, m: 1 }] }],
  [17, part, {}, null, undefined, 1, 'text', [], [{ n: 1 }], true],
  [21, mail, strict, { email: '\ud800@a.co' }, { email: 'a@b.co', all: ['x', '\ud800@a.co'] }],
  [22, members, strict, { total: 1, sum: 3, a: 1 }, { a: 1 }],
  [22, members, { whitelist: true }, { total: 1, sum: 3, a: 'x' }],
  [23, Closed, strict, { a: 1, b: 2 }],
  [23, Opened, strict, { a: 1, b: 2 }],
  [24, exposed, strict, { outer: 'a' }, { inner: 'a' }, { grouped: 1, since: 1, hidden: 1 }],
  [24, renamed, strict, { inner: () => 1, n: 'x' }, { inner: () => 1, outer: 'a' }, { inner: 'a' }],
  [
    24,
    exposed,
    { transformOptions: { groups: ['x'], version: 1, excludeExtraneousValues: true } },
    { outer: 'a', since: 1 },
  ],
  [25, transformed, strict, { a: '4' }, { a: 'x', late: 1 }],
  [25, transformed, { transformOptions: { exposeDefaultValues: true } }, { a: undefined }, {}],
  [26, dynamic, strict, { kind: 'part', raw: { n: 1 } }, { kind: 'x', raw: { n: 1 } }],
  [
    27,
    discriminated,
    strict,
    { raw: { is: 'o', z: 1 } },
    { raw: { is: 'p', n: 1 } },
    { raw: [{ is: 'q' }] },
    { raw: [null] },
  ],
  [28, free, {}, { any: { constructor: 1 } }, { any: { m: JSON.parse('{"__proto__": 1}') as unknown } }],
  [
    29,
    converted,
    strict,
    { when: 'x', count: '7', flag: 'false', tags: [1, null] },
    { when: 0, count: {}, flag: 0, tags: 'a' },
  ],
  [29, part, { transformOptions: { enableImplicitConversion: true } }, { n: '1', m: 2 }],
  [30, nested, { transformOptions: { enableCircularCheck: true } }, { parts: [{ n: 1 }] }],
  [30, free, { transformOptions: { ignoreDecorators: true } }, { any: new Map([['a', 1]]), list: [] }],
  [30, defaults, strict, {}, { page: 'x' }, { tags: [1] }],
  [31, outer, { whitelist: true }, ...unknownValues],
  [31, again, { whitelist: true }, ...unknownValues],
  [31, part, { whitelist: true }, ...unknownValues],
];

describe('the edge cases of the semantics', () => {
  it.each(CORNERS)('%i: %o, %j', async (...corner) => {
    const [, type, options, ...inputs] = corner as unknown as (typeof CORNERS)[number];
    for (const input of inputs)
      for (const way of [{ ...options }, { ...options, ...sync }])
        expect(await unlikeLibrary(type, way, () => copy(input))).toBeUndefined();
  });

  it('16: user code runs as often, and in the same order', async () => {
    const journal: string[] = [];
    const notified = (what: string) => journal.push(what) > 0;
    class Watched {
      #a: unknown;
      get a() {
        notified('a is read');
        return this.#a;
      }
      set a(value: unknown) {
        notified(`a becomes ${String(value)}`);
        this.#a = value;
      }
    }
    const by = (name: string) => cv.ValidateBy({ name, validator: { validate: () => !notified(name) } });
    const words = { message: () => String(notified('a message')) };
    declare(Watched, {
      a: [
        cv.IsOptional(),
        cv.ValidateIf(() => notified('a condition')),
        by('one'),
        cv.IsDefined(),
        cv.IsInt(words),
      ],
      b: [Transform(({ value }) => notified('a transform') && (value as unknown)), by('two'), by('three')],
      c: [
        cv.ValidateNested(),
        Type(() => (notified('a type'), part)),
        cv.ValidateIf(() => !notified('a refusal')),
      ],
    });
    for (const choice of [strict, { ...strict, stopAtFirstError: true }, { skipMissingProperties: true }])
      for (const input of [{ c: { n: 1 }, b: 1, a: 'x', x: 1 }, { a: null }, { a: 1, b: 2 }]) {
        const options = { ...choice, ...sync };
        const journals: string[][] = [];
        const validator = compileValidator(Watched, options);
        validator.explain();
        const makeInput = () => {
          journals.push(journal.splice(0));
          return copy(input);
        };
        expect(await unlikeLibrary(Watched, options, makeInput, validator)).toBeUndefined();
        expect(journal).toEqual(journals[1]);
        expect(journal.length).toBeGreaterThan(1);
        journal.length = 0;
      }
  });

  it('18: a registered schema makes every validation throw', async () => {
    const { validationMetadatas } = cv.getMetadataStorage() as unknown as Record<
      string,
      Map<unknown, unknown>
    >;
    cv.registerSchema({ name: 'odd', properties: { a: [{ type: 'isInt' }] } });
    expect(await unlikeLibrary(part, { ...sync }, () => ({ n: 1 }))).toBeUndefined();
    validationMetadatas?.delete('odd');
  });

  it('19: options are those of each call, and a custom Validator is called', async () => {
    const options: CompileOptions = { whitelist: true };
    for (const change of [{ forbidNonWhitelisted: true }, { stopAtFirstError: true }, { groups: ['x'] }]) {
      const ours = await dropIn.validate(
        Object.assign(new part(), { n: 'x', y: 1 }),
        Object.assign(options, change),
      );
      const theirs = await cv.validate(Object.assign(new part(), { n: 'x', y: 1 }), options);
      expect(ours).toEqual(theirs);
    }
    class Lenient extends cv.Validator {
      override validateSync() {
        return [];
      }
    }
    const instances = new Map<unknown, unknown>([[cv.Validator, new Lenient()]]);
    const get = (type: unknown) =>
      instances.get(type) ?? instances.set(type, new (type as new () => object)()).get(type);
    for (const container of [{ get }, undefined]) {
      cv.useContainer(container as Parameters<typeof cv.useContainer>[0]);
      expect(await unlikeLibrary(part, { ...sync }, () => ({ n: 'x' }))).toBeUndefined();
      const isTheirs = compileValidator(part, sync).explain().how === 'library';
      expect(isTheirs).toBe(container !== undefined);
    }
  });

  it('20: a list that changes later is read at each validation', async () => {
    const allowed = ['a'];
    const type = declare(class Choice {}, { one: [cv.IsIn(allowed)] });
    expect(await unlikeLibrary(type, strict, () => ({ one: 'b' }))).toBeUndefined();
    allowed.push('b');
    expect(await unlikeLibrary(type, strict, () => ({ one: 'b' }))).toBeUndefined();
    const validator = compileValidator(type, { ...strict, ...sync });
    for (const next of ['c', 'd', '$value', {}]) {
      const same = () => unlikeLibrary(type, { ...strict, ...sync }, () => ({ one: 'none' }), validator);
      expect([same(), same(), same()]).toEqual([undefined, undefined, undefined]);
      (allowed as unknown[]).push(next);
    }
  });

  it('26: a type function has the `this` of the library, also when the class is planned', () => {
    const seen: unknown[] = [];
    const typed = declare(class Typed {}, {
      part: [
        Type(function (this: { propertyName?: string } | undefined) {
          seen.push(this?.propertyName);
          return Number;
        }),
        cv.IsInt(),
      ],
    });
    expect(unlikeLibrary(typed, sync, () => ({ part: '1' }))).toBeUndefined();
    expect(new Set(seen)).toEqual(new Set(['part']));
  });

  it('29: type metadata that is no class: swc writes the object of an imported enum', () => {
    const colors = { Red: 'red', Blue: 'blue' };
    const odd: object = { options: { discriminator: { property: 'is' } }, typeFunction: () => Object };
    const noted = declare(class Noted {}, {
      color: [cv.IsEnum(colors)],
      any: [cv.Allow()],
      odd: [cv.Allow()],
      typed: [Type(() => String)],
    });
    for (const name of ['color', 'any', 'typed'])
      Reflect.defineMetadata('design:type', colors, noted.prototype, name);
    Reflect.defineMetadata('design:type', odd, noted.prototype, 'odd');
    const options = { ...sync, transformOptions: { enableImplicitConversion: true } };
    for (const raw of ['red', 'none', ['red'], [], ['red', null, undefined], [['red']], [{}], {}, null, 7]) {
      expect(unlikeLibrary(noted, options, () => ({ color: raw }))).toBeUndefined();
      expect(unlikeLibrary(noted, options, () => ({ color: 'red', any: raw }))).toBeUndefined();
      expect(unlikeLibrary(noted, options, () => ({ color: 'red', odd: raw }))).toBeUndefined();
      expect(unlikeLibrary(noted, options, () => ({ color: 'red', typed: raw }))).toBeUndefined();
    }
  });

  it('29: an object with the type metadata Object becomes a plain object, an error too', () => {
    const noted = declare(class Noted {}, { one: [cv.IsIn(['none'])], two: [cv.IsOptional()] });
    for (const name of ['one', 'two']) Reflect.defineMetadata('design:type', Object, noted.prototype, name);
    class Held {
      a = 1;
    }
    for (const raw of [
      new Error('odd'),
      new Held(),
      [new Held(), [new Error('odd')], { a: [] }, 1],
      1,
      'none',
    ]) {
      const options = { ...sync, transformOptions: { enableImplicitConversion: true } };
      expect(unlikeLibrary(noted, options, () => ({ one: raw, two: raw }))).toBeUndefined();
      expect(unlikeLibrary(noted, options, () => ({ one: 'none', two: raw }))).toBeUndefined();
    }
  });

  it('31: unlimited depth throws the same, and affects only that call', async () => {
    const endless = declare(class Endless {}, { next: [] });
    declare(endless, { next: [cv.IsOptional(), cv.ValidateNested(), Type(() => endless)] });
    const deep = () => Array.from({ length: 60_000 }).reduce<object>((next) => ({ next }), {});
    expect(
      await unlikeLibrary(endless, { ...strict, ...sync }, () => ({ next: { next: {} } })),
    ).toBeUndefined();
    expect(() => compileValidator(endless, strict).check(deep())).toThrow(RangeError);
  });

  it.each(['polluted', 'm', 'p'])('takes own fields only, also if every object has one: %s', (name) => {
    const whole = declare(class Whole {}, {
      n: [cv.IsInt()],
      m: [cv.IsOptional(), cv.IsString()],
      p: [cv.IsOptional(), cv.ValidateNested(), Type(() => part)],
    });
    const sent = [{ n: 1 }, { n: 1, m: 'a' }, { m: 'a', n: 1, other: 2 }, { n: 1, p: { n: 2 } }];
    const instanceOf = (result: object) =>
      'value' in result ? result.value : (result as { errors: cv.ValidationError[] }).errors[0]?.target;
    const { check } = compileValidator(whole, sync);
    const hardened = compileValidator(whole, { ...sync, hardened: true });
    // All functions are compiled before: the libraries read no rules of such a name then.
    const invalid = { n: 'one', p: { n: 'two' } };
    for (const value of [...sent, invalid]) for (const run of [check, hardened.check]) void run(value);
    Reflect.set(Object.prototype, name, 'added');
    try {
      for (const value of sent) {
        const expected = plainToInstance(whole, value);
        expect(instanceOf(check(value))).toEqual(expected);
        // A field of every object is one of the names that hardening takes out.
        expect(Reflect.ownKeys(value)).toEqual(
          expect.arrayContaining(Reflect.ownKeys(instanceOf(hardened.check({ ...value })) as object)),
        );
        expect(dropIn.plainToInstance(whole, value)).toEqual(expected);
      }
    } finally {
      Reflect.deleteProperty(Object.prototype, name);
    }
  });
});

/** Like `structuredClone`, for promises, functions and prototypes, which are handed on. */
function copy(value: unknown): unknown {
  if (Array.isArray(value)) {
    const result: unknown[] = Array.from({ length: value.length });
    for (let at = 0; at < value.length; at++)
      if (at in value) result[at] = copy(value[at]);
      else Reflect.deleteProperty(result, at);
    return result;
  }
  if (typeof value !== 'object' || value === null) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  const result = Object.create(prototype as object | null) as object;
  for (const key of Object.keys(value))
    Object.defineProperty(result, key, {
      value: copy(Reflect.get(value, key)),
      configurable: true,
      enumerable: true,
      writable: true,
    });
  return result;
}
