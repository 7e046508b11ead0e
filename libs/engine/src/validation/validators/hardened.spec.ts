import { Expose, Transform, Type } from 'class-transformer';
import {
  Allow,
  ArrayMaxSize,
  Contains,
  IsArray,
  IsBoolean,
  IsDate,
  IsDateString,
  IsEmail,
  IsIn,
  IsInt,
  IsNumber,
  IsNumberString,
  IsOptional,
  IsString,
  IsUrl,
  IsUUID,
  Length,
  Matches,
  MaxLength,
  Min,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import * as fc from 'fast-check';
import { compileValidator } from './compile-validator';
import type { CompileOptions } from '../plan/settings';

class Leaf {
  @IsEmail() @MaxLength(60) mail!: string;
  @IsUrl() @IsOptional() url?: string;
  @Type(() => Boolean) @IsBoolean() @IsOptional() isOn?: boolean;
}

class Branch {
  @Type(() => Number) @IsInt() @Min(1) count!: number;
  @Type(() => Date) @IsDate() @IsOptional() at?: Date;
  @Type(() => Boolean) @IsBoolean({ each: true }) @IsOptional() flags?: boolean[];
  @ValidateNested() @Type(() => Leaf) leaf!: Leaf;

  size(): number {
    return this.count;
  }
}

class Tree {
  @IsString() @Length(1, 20) @Contains('a') name!: string;
  @IsArray() @ArrayMaxSize(50) @ValidateNested({ each: true }) @Type(() => Branch) items!: Branch[];
  @ValidateNested() @Type(() => Tree) @IsOptional() part?: Tree;
  @IsUUID() @IsOptional() id?: string;
  @IsDateString() @IsOptional() day?: string;
  @IsNumberString() @IsOptional() digits?: string;
  @Matches(/^(a+)+$/) @IsOptional() pattern?: string;
  @IsIn(['a', 1]) @IsOptional() choice?: unknown;
  @Allow() any: unknown;
  @Expose({ name: 'e_mail' }) @IsEmail() @IsOptional() contact?: string;
  @Transform(({ value }: { value: string }) => value.trim()) @IsString() @IsOptional() trimmed?: string;
  @ValidateIf((tree: Tree) => tree.name.startsWith('a')) @IsInt() @IsOptional() odd?: number;
  @IsNumber() @IsOptional() price?: number;
  @Type(() => String) @IsString() @IsOptional() text?: string;

  get total(): number {
    return this.items.length;
  }
}

const names = [
  ...['name', 'items', 'part', 'id', 'day', 'digits', 'pattern', 'choice', 'any', 'e_mail', 'trimmed', 'odd'],
  ...['price', 'text', 'total', 'mail', 'url', 'isOn', 'count', 'at', 'flags', 'leaf', 'size', 'contact'],
  ...['__proto__', 'constructor', 'prototype', 'toString', 'valueOf', 'hasOwnProperty', 'then', 'length'],
  ...['__defineGetter__', '__lookupSetter__', 'toJSON', '0', '', '%E0%A4%A', 'a\ud800', '\0member:name'],
];

const texts = fc.oneof(
  fc.constantFrom(
    ...['', 'a', 'true', 'false', 'TRUE', '0', 'no', '%', '%E0%A4%A', 'a%ff@b.co', 'http://%ff', 'a@b.co'],
    ...['\ud800', 'a\ud800@b.co', 'a@\udc00.co', '\0', '1e400', '-0', '$&', '$property', 'a'.repeat(30)],
    ...[
      'http://[::1',
      'http://a@b:99999',
      '2024-13-45',
      '9'.repeat(400),
      '0x1f',
      '\u202e',
      '[object Object]',
    ],
  ),
  fc.string({ unit: 'binary', maxLength: 12 }),
);

const numbers = fc.constantFrom(0, -0, 1, 1.5, 1e308, -1e308, 5e-324, 2 ** 53, Infinity, -Infinity, 1e21, 7);

/** Any JSON, with fields of every name, where other values are expected. */
const { value: hostile } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(texts, numbers, fc.boolean(), fc.constant(null)),
    fc.array(tie('value'), { maxLength: 4 }),
    fc
      .uniqueArray(fc.tuple(fc.constantFrom(...names), tie('value')), {
        selector: ([name]) => name,
        maxLength: 7,
      })
      .map((entries) => Object.fromEntries(entries)),
  ),
}));

const leaf = { mail: 'a@b.co', isOn: 'true' };
const good = { name: 'a', items: [{ count: '3', flags: ['false', true], leaf }], part: null };

/** A valid input, one of whose objects has hostile fields, so that nested rules are reached. */
const nearlyGood = fc
  .tuple(fc.constantFrom(0, 1, 2), fc.constantFrom(...names), hostile)
  .map(([at, name, raw]) => {
    const input = structuredClone(good);
    const place = [input, input.items[0], input.items[0]?.leaf][at] ?? input;
    Object.defineProperty(place, name, { value: raw, enumerable: true, configurable: true, writable: true });
    return input as unknown;
  });

const anyOptions: fc.Arbitrary<CompileOptions> = fc.record(
  {
    whitelist: fc.boolean(),
    forbidNonWhitelisted: fc.boolean(),
    forbidUnknownValues: fc.boolean(),
    stopAtFirstError: fc.boolean(),
    ignoreAsync: fc.boolean(),
    transformOptions: fc.record({ enableImplicitConversion: fc.boolean() }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
);

const check = (type: new () => object, value: unknown, options: CompileOptions = {}) =>
  compileValidator(type, { ...options, hardened: true }).check(value);

const messagesOf = (type: new () => object, value: unknown, options?: CompileOptions) =>
  JSON.stringify(check(type, value, options), [
    'errors',
    'property',
    'constraints',
    'children',
    'isBoolean',
    'isObject',
  ]);

describe('a hardened validator', () => {
  it('returns a result for any JSON, and never throws', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyOptions,
        fc.constantFrom(Leaf, Branch, Tree),
        fc.oneof(hostile, nearlyGood),
        async (options, type, value) => {
          const result = await check(type, structuredClone(value), options);
          const isAnswered = 'value' in result ? result.value instanceof type : result.errors.length > 0;
          expect(isAnswered).toBe(true);
        },
      ),
      { numRuns: 1500 },
    );
  });

  it.each([{}, { whitelist: true }])('sets no field that changes a prototype: %j', (options) => {
    const honest = { mail: 'a@b.co', isOn: true };
    for (const name of ['__proto__', 'constructor', 'prototype'])
      for (const raw of ['{"a":1}', '1']) {
        const body: unknown = JSON.parse(`{"mail":"a@b.co","isOn":true,"${name}":${raw}}`);
        const result = check(Leaf, body, options);
        expect('value' in result && Object.keys(result.value)).toEqual(Object.keys(honest));
        expect(result).toEqual(check(Leaf, honest, options));
      }
  });

  it('returns a result for extreme nesting', () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"part":', '}'],
      ['{"items":[', ']}'],
    ] as const) {
      const text = `{"part":${open.repeat(20_000)}1${close.repeat(20_000)}}`;
      expect(check(Tree, JSON.parse(text))).toMatchObject({
        errors: [{ constraints: { isBounded: expect.stringContaining('32 levels') } }],
      });
    }
  });

  it('returns a result for circular input', () => {
    const endless: Record<string, unknown> = { ...good };
    endless['part'] = endless;
    expect(check(Tree, endless)).toHaveProperty('errors');
  });

  it.each([
    [null],
    [undefined],
    ['text'],
    [7],
    [true],
    [[]],
    [[good]],
    [new Map()],
    [12n],
    [Symbol('s')],
    [new Date()],
  ])('rejects values that are not objects: %s', (value) => {
    expect(check(Tree, value)).toMatchObject({
      errors: [{ constraints: { isObject: 'an object is expected' } }],
    });
  });

  it('rejects an input at which a rule or a transform throws', () => {
    expect(check(Tree, { ...good, trimmed: 1 })).toMatchObject({
      errors: [{ constraints: { isReadable: 'the input cannot be read' } }],
    });
  });

  it('rethrows errors that are thrown on purpose', () => {
    class Loud {
      @Transform(() => {
        throw new Error('on purpose');
      })
      @Allow()
      a: unknown;
    }
    expect(() => check(Loud, { a: 1 })).toThrow('on purpose');
  });

  it('reports fields named like members among the unknown ones, in the order of the input', async () => {
    const strict = { whitelist: true, forbidNonWhitelisted: true };
    const input = JSON.parse('{"zz":1,"__proto__":{},"name":"a","total":1,"items":[]}');
    const result = await check(Tree, input, strict);
    expect('errors' in result && result.errors.map(({ property }) => property)).toEqual([
      'zz',
      '__proto__',
      'total',
    ]);
  });

  it('has the same results as without hardening for ordinary input', () => {
    const options = { whitelist: true, forbidNonWhitelisted: true };
    const input = { name: 'a', items: [{ count: 3, leaf: { mail: 'a@b.co' } }] };
    expect(check(Tree, structuredClone(input), options)).toEqual(
      compileValidator(Tree, options).check(input),
    );
  });
});

describe('a boolean, if hardened', () => {
  const flags = (value: unknown) => check(Leaf, { mail: 'a@b.co', isOn: value });

  it.each([
    ['true', true],
    ['false', false],
    [true, true],
    [false, false],
    [null, null],
  ])('is converted from %j', (sent, expected) => {
    expect(flags(sent)).toMatchObject({ value: { isOn: expected } });
  });

  it.each(['TRUE', 'yes', '', '0', ' true', 0, 1, {}, ['no'], [['a']]].map((value) => [value]))(
    'is not converted from %j',
    (sent) => {
      expect(flags(sent)).toMatchObject({
        errors: [{ property: 'isOn', constraints: { isBoolean: 'isOn must be a boolean value' } }],
      });
    },
  );

  it('is converted at any depth, in lists, and by implicit conversion', () => {
    class Noted {
      @IsBoolean() isOn!: boolean;
    }
    Reflect.defineMetadata('design:type', Boolean, Noted.prototype, 'isOn');
    const implicit = { transformOptions: { enableImplicitConversion: true } };
    expect(check(Tree, structuredClone(good))).toMatchObject({
      value: { items: [{ flags: [false, true], leaf: { isOn: true } }] },
    });
    expect(check(Noted, { isOn: 'false' }, implicit)).toMatchObject({ value: { isOn: false } });
    expect(messagesOf(Noted, { isOn: 'no' }, implicit)).toContain('isOn must be a boolean value');
    expect(messagesOf(Tree, { ...good, items: [{ count: 1, leaf: { mail: 'a@b.co', isOn: 2 } }] })).toContain(
      '"property":"items"',
    );
  });

  it('is not converted if it has a transform of its own', () => {
    class Own {
      @Type(() => Boolean)
      @Transform(({ obj }: { obj: Own }) => (obj.isOn as unknown) === 'on')
      @IsBoolean()
      isOn!: boolean;
    }
    expect(check(Own, { isOn: 'on' })).toMatchObject({ value: { isOn: true } });
  });
});
