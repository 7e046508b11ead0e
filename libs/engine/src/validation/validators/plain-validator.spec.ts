import 'reflect-metadata';
import { runInNewContext } from 'node:vm';
import { Expose, Transform, Type } from 'class-transformer';
import {
  ArrayMinSize,
  IsArray,
  IsDate,
  IsEmail,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Length,
  Max,
  Min,
  ValidateBy,
  ValidateNested,
} from 'class-validator';
import type { CompileOptions } from '../plan/settings';
import { compileValidator } from './compile-validator';
import { Engine } from './engine';

class Line {
  @IsString() @Length(3, 20) sku!: string;
  @IsInt() @Min(1) quantity!: number;
}

class Order {
  @IsEmail() email!: string;
  @IsOptional() @IsString() note?: string;
  @IsOptional() @IsIn(['new', 'paid']) state?: string;
  @IsArray() @ArrayMinSize(1) @ValidateNested({ each: true }) @Type(() => Line) lines!: Line[];
  @ValidateNested() @Type(() => Line) first!: Line;
  @IsString({ each: true }) @IsArray() tags!: string[];
}

const order = () => ({
  email: 'a@b.co',
  lines: [{ sku: 'abc', quantity: 1 }],
  first: { quantity: 2, sku: 'abcd' },
  tags: ['a', 'b'],
});

const strict = { whitelist: true, forbidNonWhitelisted: true };

/** Inputs that a predicate answers itself, and inputs for which an instance is created. */
const PLAIN: readonly unknown[] = [
  order(),
  { ...order(), note: 'n', state: 'paid' },
  { note: undefined, ...order(), state: undefined },
  { ...order(), tags: [], note: null },
  { ...order(), email: 'a' },
  { ...order(), state: 'lost' },
  { ...order(), lines: [] },
  { ...order(), lines: [{ sku: 'abc', quantity: 0 }] },
  { ...order(), first: undefined },
  { ...order(), tags: ['a', 1] },
  { ...order(), extra: 1 },
  { ...order(), first: { sku: 'abc', quantity: 1, extra: 1 } },
  Object.assign(Object.create(null) as object, order()),
];
const ODD: readonly unknown[] = [
  { ...order(), first: null },
  { ...order(), first: 5 },
  { ...order(), lines: [null] },
  { ...order(), lines: { sku: 'abc', quantity: 1 } },
  { ...order(), tags: new Set(['a']) },
  { ...order(), tags: [undefined, 'a'] },
  { ...order(), email: new String('a@b.co') },
  { ...order(), toString: 1 },
  { ...order(), extra: {} },
  { ...order(), then: () => undefined },
  Object.defineProperty(order(), 'email', { enumerable: false }),
  JSON.parse('{ "email": "a@b.co", "__proto__": { "tags": [] } }'),
  Object.create(order()),
  new Map(Object.entries(order())),
  runInNewContext(`(${JSON.stringify(order())})`),
  {
    ...order(),
    get email(): string {
      throw new RangeError('no');
    },
  },
  [order()],
  'text',
  null,
  undefined,
];

const outcome = (ask: () => unknown): unknown => {
  try {
    return ask();
  } catch (error) {
    return String(error);
  }
};

describe('a validator without an instance', () => {
  const CHOICES: readonly CompileOptions[] = [
    {},
    strict,
    { whitelist: true },
    { skipMissingProperties: true },
    { ...strict, stopAtFirstError: true, validationError: { target: false } },
  ];

  it.each(CHOICES)('accepts the same values as a validator with an instance: %j', (options) => {
    const { check } = compileValidator(Order, options);
    const { test, errors } = compileValidator(Order, { ...options, instance: false });
    for (const value of [...PLAIN, ...ODD]) {
      const expected = outcome(() => {
        const result = check(value);
        if (result instanceof Promise) return result;
        return 'errors' in result ? result.errors : [];
      });
      expect(outcome(() => errors(value))).toEqual(expected);
      const isValid = outcome(() => test(value));
      const accepts = Array.isArray(expected) && expected.length === 0;
      expect([value, isValid === true]).toEqual([value, accepts]);
    }
  });

  it('creates none for plain values', () => {
    const { test, errors } = compileValidator(Order, { ...strict, instance: false });
    expect(test(order())).toBe(true);
    const check = vi.spyOn(Engine.prototype, 'check');
    const isValid = PLAIN.map((value) => test(value));
    const valid = PLAIN.filter((value) => test(value) === true);
    expect(valid.map((value) => errors(value))).toEqual(valid.map(() => []));
    expect(check).not.toHaveBeenCalled();
    expect(isValid).toContain(false);
    expect(test({ ...order(), first: 5 })).toBe(false);
    expect(check).toHaveBeenCalledOnce();
    check.mockRestore();
  });

  it('leaves values alone while every object has an additional field', () => {
    const { test } = compileValidator(Line, { ...strict, instance: false });
    Reflect.set(Object.prototype, 'sku', 'abc');
    try {
      expect(test({ quantity: 1 })).toBe('value' in compileValidator(Line, strict).check({ quantity: 1 }));
    } finally {
      Reflect.deleteProperty(Object.prototype, 'sku');
    }
  });

  it('validates a class without a name in an instance if a rule is custom', () => {
    const [type] = [class {}];
    Object.defineProperty(type, 'name', { value: '' });
    ValidateBy({ name: 'never', validator: { validate: () => false } })(type.prototype, 'a');
    const { test, explain } = compileValidator(type, { instance: false });
    expect(test({})).toBe(false);
    expect(explain().whyInstance).toBe('a class without a name.a');
  });

  it('recompiles when a decorator runs later', () => {
    class Growing {
      @IsInt() count!: number;
    }
    const { test, explain } = compileValidator(Growing, { instance: false });
    expect(test({ count: 7 })).toBe(true);
    Max(5)(Growing.prototype, 'count');
    expect(test({ count: 7 })).toBe(false);
    Transform(({ value }) => Number(value) - 5)(Growing.prototype, 'count');
    expect(explain().whyInstance).toBe('Growing.count');
    expect(test({ count: 7 })).toBe(true);
  });

  it('returns a promise only for asynchronous rules', async () => {
    class Late {
      @ValidateBy({ name: 'late', validator: { validate: (value) => Promise.resolve(value === 1) } })
      late!: number;
    }
    const { test, errors } = compileValidator(Late, { instance: false });
    await expect(test({ late: 1 })).resolves.toBe(true);
    await expect(errors({ late: 2 })).resolves.toHaveLength(1);
  });
});

describe('the explanation', () => {
  class Tree {
    @IsInt() value!: number;
    @IsOptional() @ValidateNested() @Type(() => Tree) next?: Tree;
  }
  class Own {
    @ValidateBy({ name: 'own', validator: { validate: () => true } }) code!: string;
  }
  class Dated {
    @IsDate() @Type(() => Date) at!: Date;
  }
  class Renamed {
    @Expose({ name: 'n' }) @IsString() name!: string;
  }
  class Exposed {
    @Expose() @IsString() name!: string;
  }
  class Built {
    @IsString() name: string;
    constructor() {
      this.name = String(Math.random());
    }
  }
  class Outer {
    @ValidateNested() @Type(() => Dated) inner!: Dated;
  }
  class Asking {
    @ValidateNested() @Type((help) => (help ? Line : Order)) part!: object;
  }
  class Loose {
    @IsObject() settings!: object;
  }

  class Preset {
    @IsInt() page = 1;
  }

  it.each([
    [Order, undefined],
    [Loose, undefined],
    [Tree, 'Tree'],
    [Own, 'Own.code'],
    [Dated, 'Dated.at'],
    [Outer, 'Dated.at'],
    [Renamed, 'Renamed'],
    [Exposed, 'Exposed'],
    [Built, 'Built'],
    [Asking, 'Asking.part'],
    [Preset, 'Preset.page'],
  ])('of %o names the part for which an instance is created: %s', (type, why) => {
    expect(compileValidator(type, { instance: false }).explain().whyInstance).toBe(why);
  });

  it('names the option for which an instance is created', () => {
    const { explain } = compileValidator(Order, { hardened: true, instance: false });
    expect(explain().whyInstance).toBe('hardened');
  });
});
