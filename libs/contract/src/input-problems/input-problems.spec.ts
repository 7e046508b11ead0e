import { Expose, Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsEmail,
  IsEnum,
  IsIn,
  IsInt,
  IsObject,
  IsString,
  Length,
  Matches,
  Min,
  MinLength,
  ValidateBy,
  ValidateNested,
} from 'class-validator';
import type { InputProblem, InputProblems } from '@app/http-errors';
import type { ArgumentMetadata, Type as Class } from '@nestjs/common';
import { inGroups, ValidationPipe } from '@app/engine';
import { InvalidInputError } from './errors';
import { invalidInput } from './invalid-input';
import { NoMoreThan } from '../rules/no-more-than';

enum Size {
  small = 's',
  large = 'l',
}

class Item {
  @IsString()
  @MinLength(1)
  sku!: string;
}

class Pet {
  @IsString()
  kind!: string;
}

class Dog extends Pet {
  @Min(1)
  age!: number;
}

class Cat extends Pet {
  @IsIn(['in', 'out'])
  place!: string;
}

class Order {
  @IsArray()
  @ArrayMaxSize(3)
  @ValidateNested({ each: true })
  @Type(() => Item)
  items!: Item[];

  @ValidateNested({ each: true })
  @Type(() => Pet, {
    discriminator: {
      property: 'kind',
      subTypes: [
        { name: 'dog', value: Dog },
        { name: 'cat', value: Cat },
      ],
    },
    keepDiscriminatorProperty: true,
  })
  @NoMoreThan(5)
  pets!: Pet[];

  @Expose({ name: 'ship/to' })
  @ValidateNested()
  @Type(() => Item)
  shipTo!: Item;

  @IsEnum(Size)
  size!: Size;
}

class Account {
  @IsEmail({}, { groups: ['create', 'update'] })
  email!: string;

  @MinLength(8, { groups: ['create'] })
  @MinLength(20, { groups: ['update'] })
  password!: string;
}

const pipe = new ValidationPipe({
  whitelist: true,
  forbidNonWhitelisted: true,
  transform: true,
  hardened: true,
  exceptionFactory: invalidInput,
});

async function problemsOf(
  metatype: Class,
  value: unknown,
  metadata: Partial<ArgumentMetadata> = {},
): Promise<InputProblems> {
  const argument: ArgumentMetadata = { type: 'body', metatype, ...metadata };
  const error: unknown = await pipe.transform(value, argument).catch((thrown: unknown) => thrown);
  if (!(error instanceof InvalidInputError)) throw new Error('the input was accepted');
  const problems = error.reply.inputProblems?.();
  return problems ?? { listed: [], omitted: 0 };
}

/** Place, code and arguments, without the text. */
function factsOf({ listed }: InputProblems): unknown[] {
  return listed.map(({ pointer, code, params }: InputProblem) => [pointer, code, params]);
}

const valid = { items: [], pets: [], 'ship/to': { sku: 'a' }, size: 's' };

describe('a value that violates a rule', () => {
  it('has its place, the code and the arguments of the rule, and the message', async () => {
    const { listed, omitted } = await problemsOf(Order, { ...valid, items: [{ sku: 'a' }, { sku: '' }] });
    expect(listed).toEqual([
      {
        in: 'body',
        pointer: '/items/1/sku',
        code: 'minLength',
        params: { min: 1 },
        detail: 'sku must be longer than or equal to 1 characters',
      },
    ]);
    expect(omitted).toBe(0);
  });

  it('is named as it was sent, and escaped', async () => {
    expect(factsOf(await problemsOf(Order, { ...valid, 'ship/to': { sku: 1 } }))).toEqual([
      ['/ship~1to/sku', 'minLength', { min: 1 }],
      ['/ship~1to/sku', 'isString', {}],
    ]);
  });

  it('has the rules of the class that a discriminator names', async () => {
    const pets = [
      { kind: 'dog', age: 0 },
      { kind: 'cat', place: 'up' },
    ];
    expect(factsOf(await problemsOf(Order, { ...valid, pets }))).toEqual([
      ['/pets/0/age', 'min', { min: 1 }],
      ['/pets/1/place', 'isIn', { values: ['in', 'out'] }],
    ]);
  });

  it('has the values of an enum, and the bound of a list', async () => {
    const items = Array.from({ length: 4 }, () => ({ sku: 'a' }));
    const pets = Array.from({ length: 6 }, () => ({ kind: 'dog', age: 1 }));
    expect(factsOf(await problemsOf(Order, { ...valid, items, pets, size: 'm' }))).toEqual([
      ['/items', 'arrayMaxSize', { max: 3 }],
      ['/pets', 'arrayMaxSize', { max: 5 }],
      ['/size', 'isEnum', { values: ['s', 'l'] }],
    ]);
  });

  it('has the arguments of the rule in the groups of the route', async () => {
    const value = { email: 'a@b.co', password: 'short' };
    for (const [group, min] of [
      ['create', 8],
      ['update', 20],
    ] as const) {
      const problems = await problemsOf(Account, value, inGroups(Account, group));
      expect(factsOf(problems)).toEqual([['/password', 'minLength', { min }]]);
    }
  });

  it('has the arguments of the rule that fails, if its property has the same rule twice', async () => {
    class Phrase {
      @Matches(/\d/)
      @Matches(/[a-z]/)
      text!: string;
    }
    expect(factsOf(await problemsOf(Phrase, { text: 'abc' }))).toEqual([
      ['/text', 'matches', { pattern: String.raw`\d` }],
    ]);
    expect(factsOf(await problemsOf(Phrase, { text: '123' }))).toEqual([
      ['/text', 'matches', { pattern: '[a-z]' }],
    ]);
  });

  it('has the code of a custom rule, and its arguments as its message numbers them', async () => {
    const limits = { name: 'isBetween', constraints: [1, /x/, () => 1, Number.NaN, [2, 'a'], [{}]] };
    class Guess {
      @ValidateBy({ ...limits, validator: { validate: () => false, defaultMessage: () => 'no' } })
      guess!: number;
    }
    expect(factsOf(await problemsOf(Guess, { guess: 7 }))).toEqual([
      ['/guess', 'isBetween', { constraint1: 1, constraint2: 'x', constraint5: [2, 'a'] }],
    ]);
  });

  it('of a query or a path is in that part', async () => {
    class Query {
      @Length(2, 3)
      q!: string;
    }
    const [inQuery] = (await problemsOf(Query, { q: '' }, { type: 'query' })).listed;
    expect(inQuery).toMatchObject({
      in: 'query',
      pointer: '/q',
      code: 'isLength',
      params: { min: 2, max: 3 },
    });
    const [inPath] = (await problemsOf(Query, { q: '' }, { type: 'param' })).listed;
    expect(inPath).toMatchObject({ in: 'path', pointer: '/q' });
  });

  it('of one field of a body is within that field', async () => {
    const { listed } = await problemsOf(Item, { sku: '' }, { data: 'item' });
    expect(listed[0]).toMatchObject({ pointer: '/item/sku' });
  });
});

describe('an input that is rejected', () => {
  it('for an undeclared field names the field', async () => {
    const items = [{ sku: 'a', extra: 1, toString: 1 }];
    expect(factsOf(await problemsOf(Order, { ...valid, items, more: 1 }))).toEqual([
      ['/more', 'unknownField', {}],
      ['/items/0/extra', 'unknownField', {}],
      ['/items/0/toString', 'unknownField', {}],
    ]);
  });

  it.each([[null], [[]], ['text'], [7]])(
    'as a whole names the whole, or what is missing: %j',
    async (value) => {
      const pointers = (await problemsOf(Item, value)).listed.map(({ pointer, code }) => [pointer, code]);
      expect(pointers.length).toBeGreaterThan(0);
      for (const [pointer] of pointers) expect(['', '/sku', '/0', '/0/sku']).toContain(pointer);
    },
  );

  it('by hardening has its code', async () => {
    let deep: unknown = 1;
    for (let level = 0; level < 40; level += 1) deep = { deep };
    expect(factsOf(await problemsOf(Order, { ...valid, deep }))).toEqual([['', 'isBounded', {}]]);
    expect(factsOf(await problemsOf(Item, { sku: '\ud800' }))).toEqual([['/sku', 'isWellFormed', {}]]);
    expect(factsOf(await problemsOf(Order, { ...valid, 'ship/to': [] }))).toEqual([
      ['/ship~1to', 'nestedValidation', {}],
    ]);
  });

  it('because its transform throws names the whole', async () => {
    class Broken {
      @Transform(() => Object(undefined).a.b)
      @IsObject()
      value!: object;
    }
    expect(factsOf(await problemsOf(Broken, { value: 1 }))).toEqual([['', 'isReadable', {}]]);
  });

  it('for more than fifty values lists fifty, and counts the others', async () => {
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`f${at}`, at]));
    class Nothing {
      @IsInt()
      one!: number;
    }
    const { listed, omitted } = await problemsOf(Nothing, { one: 1, ...many });
    expect([listed.length, omitted]).toEqual([50, 10]);
  });
});

describe('errors without their source', () => {
  it('have places and codes', () => {
    const problems = [
      { property: 'a', children: [{ property: 'b', constraints: { isInt: 'b must be …' } }] },
    ];
    expect(invalidInput(problems).reply.inputProblems?.().listed).toEqual([
      { in: 'body', pointer: '/a/b', code: 'isInt', params: {}, detail: 'b must be …' },
    ]);
  });
});
