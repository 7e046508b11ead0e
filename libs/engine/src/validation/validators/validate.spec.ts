import 'reflect-metadata';
import { runInThisContext } from 'node:vm';
import { ownRule } from '../../shapes/rules/own-rule';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsEmail,
  IsInt,
  IsOptional,
  IsString,
  Matches,
  Max,
  Min,
  ValidateNested,
  type ValidationArguments,
} from 'class-validator';
import { unlikeLibrary } from '../../../testing/validation/equality';
import { compileValidator } from './compile-validator';

const asked: string[] = [];

/** Sees the whole instance, and notes that it was asked. */
const words = ({ property, object, value }: ValidationArguments): string => {
  asked.push(property);
  return `${property} of ${JSON.stringify(object)} is ${String(value)}`;
};

class Part {
  @IsInt({ message: words }) @Min(1) @Max(5, { message: words }) count!: number;
  @IsOptional() @IsEmail() email?: string;
}

class Whole {
  @IsString({ message: words }) name!: string;
  @IsArray()
  @ArrayMaxSize(2)
  @ValidateNested({ each: true, message: words })
  @Type(() => Part)
  parts!: Part[];
  @IsOptional() @ValidateNested() @Type(() => Part) one?: Part;
}

class Twice {
  @Matches(/^a/, { message: words }) @Matches(/b$/, { message: 'ends in b' }) text!: string;
}

class Silent {
  @IsString() name!: string;
  @IsOptional() @ValidateNested() @Type(() => Silent) next?: Silent;
}

/** A field that every instance has from the start, as compilers of newer targets leave it. */
const Bare = runInThisContext('(class Bare { bare; name; })') as new () => object;
IsString()(Bare.prototype as object, 'name');

const OPTIONS = [
  {},
  { whitelist: true },
  { whitelist: true, forbidNonWhitelisted: true },
  { whitelist: true, forbidNonWhitelisted: true, validationError: { target: false } },
  { whitelist: true, validationError: { target: false, value: false } },
  { whitelist: true, stopAtFirstError: true },
  { whitelist: true, forbidNonWhitelisted: true, stopAtFirstError: true },
  { skipMissingProperties: true },
  { skipNullProperties: true, forbidNonWhitelisted: true, whitelist: true },
];

const part = { count: 2, email: 'a@b.co' };

const INPUTS: readonly (readonly [new () => object, ...unknown[]])[] = [
  [Whole, { name: 'a', parts: [part] }, { parts: [part], name: 'a' }, { name: 1, parts: [{ count: 9 }] }],
  [Whole, { name: 1, parts: [part], extra: 1, more: { deep: [1] } }, { extra: 1, name: 1, parts: 'x' }],
  [Whole, { name: 'a', parts: [{ ...part, extra: 1 }, null, undefined, 'x', { count: 'y' }] }],
  [Whole, { name: 'a', parts: [part, part, { count: 9, extra: 1 }], one: { count: 9, extra: 2 } }],
  [Whole, { name: 'a', parts: { count: 1, extra: 1 }, one: [{ count: 0 }] }, { name: 'a', parts: null }],
  [Whole, { name: 1, parts: [{ count: 9 }], toString: 1 }, { name: 1, parts: [{ then: 1 }] }],
  [Whole, { name: 1, parts: [[part]] }, { name: 1, parts: [, part] }, { name: 1, parts: [() => 1] }],
  [Twice, { text: 'x' }, { text: 'a' }, { text: 'b' }, { text: 'ab' }, {}],
  [Silent, { name: 1, next: { name: 1, 7: 1, next: { b: 1, 3: 1 } } }, { 9: 1, name: 'a', 2: 2 }],
  [Bare, { name: 'a' }, { name: 1 }, { bare: 1, name: 'a' }, { name: 'a', bare: 1, other: 1 }],
];

describe('errors that are found while an instance is created', () => {
  it.each(INPUTS)('are those of class-validator, for %o', async (...args) => {
    const [type, ...inputs] = args as unknown as (typeof INPUTS)[number];
    for (const input of inputs)
      for (const options of OPTIONS)
        expect(await unlikeLibrary(type, options, () => copy(input))).toBeUndefined();
  });

  it.each([
    [{ name: 1, parts: [{ count: 9 }, 'x'] }, ['name', 'count', 'parts']],
    [{ name: 1, parts: [{ count: 9 }, [1]] }, ['name', 'count', 'parts']],
    [{ parts: [{ count: 'a' }], one: { count: 7 }, name: 1 }, ['name', 'count', 'count', 'count']],
  ])('call each message function once, in the order of the rules: %j', async (input, order) => {
    asked.length = 0;
    await compileValidator(Whole, { whitelist: true }).check(input);
    expect(asked).toEqual(order);
  });

  it('are found in one validation of the complete instance, and nothing is tested between; a valid value is tested once', () => {
    const tested: unknown[] = [];
    const noted = () =>
      ownRule({
        name: 'short',
        test: (value) => (tested.push(value), String(value).length < 3),
        message: (prefix) => `${prefix}$property is long`,
      });
    class Element {
      @noted() name!: string;
    }
    class List {
      @noted() name!: string;
      @noted() note!: string;
      @ValidateNested() @Type(() => Element) parts!: Element[];
      @ValidateNested() @Type(() => Element) one!: Element;
    }
    const parts = ['a', 'wrong', 'b'].map((name) => ({ name }));
    const { check } = compileValidator(List);
    const input = { name: 'c', note: 'd', parts, one: { name: 'e' } };
    void check(input);
    tested.length = 0;
    void check(input);
    expect(tested).toEqual(['c', 'd', 'a', 'wrong', 'c', 'd', 'a', 'wrong', 'b', 'e']);
    tested.length = 0;
    void check({ ...input, parts: [{ name: 'a' }] });
    expect(tested).toEqual(['c', 'd', 'a', 'e']);
  });
});

/** Like `structuredClone`, for functions too. */
function copy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copy);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, raw]) => [key, copy(raw)]));
}
