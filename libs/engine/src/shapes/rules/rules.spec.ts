import {
  ArrayNotEmpty,
  getMetadataStorage,
  IsArray,
  IsDefined,
  isEmail,
  IsEmail,
  IsEmpty,
  IsIn,
  isInt,
  IsInt,
  IsNotEmpty,
  IsObject,
  IsOptional,
  IsString,
  Length,
  Matches,
  Min,
  ValidateBy,
  ValidateIf,
  ValidateNested,
  validateSync,
} from 'class-validator';
import * as library from 'class-validator';
import { isGiven, ownRule } from './own-rule';
import { installedValidator, validatorDialect } from './reference';
import type * as ruleShape from './rule-shape';
import { type RuleChoice, readRules } from './rule-shape';
import { rulesGeneration } from './storage';

const namesOf = (target: Function, choice: RuleChoice = {}) =>
  readRules(target, choice).properties.map(({ name, leaves }) => [
    name,
    ...leaves.map(({ declared }) => declared.name),
  ]);

class Base {
  @IsString() @Min(1) kept!: unknown;
  @IsString() dropped!: unknown;
}

class Subclass extends Base {
  @IsInt() declare dropped: unknown;
  @IsInt({ groups: ['a'] }) grouped!: unknown;
  @IsInt({ always: true }) always!: unknown;
  @IsString() 7!: unknown;
}

describe('the rules of a class', () => {
  it('have the order of the library: integer keys first, own before inherited, the bottom decorator first', () => {
    expect(namesOf(Subclass)).toEqual([
      ['7', 'isString'],
      ['dropped', 'isInt'],
      ['grouped', 'isInt'],
      ['always', 'isInt'],
      ['kept', 'min', 'isString'],
    ]);
  });

  it('keep the declared options when they are read', () => {
    class WithOptions {
      @IsEmail({}) email!: unknown;
    }
    const [property] = readRules(WithOptions, {}).properties;
    expect(property?.leaves[0]?.declared.constraints).toEqual([{}]);
  });

  it('are those of the ancestors in the order in which these were first decorated', () => {
    class First {}
    class Second extends First {}
    class Third extends Second {}
    for (const [type, name] of [
      [Second, 'b'],
      [Third, 'c'],
      [First, 'a'],
      [Second, 'd'],
    ] as const)
      IsInt()(type.prototype, name);
    expect(namesOf(Third).map(([name]) => name)).toEqual(['c', 'b', 'd', 'a']);
    IsInt()(First.prototype, 'late');
    expect(namesOf(Third).map(([name]) => name)).toEqual(['c', 'b', 'd', 'a', 'late']);
  });

  it('1: are those of the ancestor if the own ones are of other groups', () => {
    class Choosy extends Base {
      @IsInt({ groups: ['a'] }) declare dropped: unknown;
    }
    expect(namesOf(Choosy, { groups: ['b'] })).toEqual([]);
    expect(namesOf(Choosy, { groups: ['a'] })).toEqual([['dropped', 'isInt']]);
    expect(namesOf(Choosy, { strictGroups: true })).toEqual([
      ['kept', 'min', 'isString'],
      ['dropped', 'isString'],
    ]);
  });

  it('2: are selected by groups, except those with always', () => {
    expect(namesOf(Subclass, { groups: ['a'] })).toEqual([
      ['grouped', 'isInt'],
      ['always', 'isInt'],
    ]);
  });

  it('4: cannot be declared on a property named like a member of every object', () => {
    class Odd {
      @IsInt() override!: unknown;
    }
    IsInt()(Odd.prototype, 'toString');
    expect(() => readRules(Odd, {})).toThrow(TypeError);
  });
});

describe('a built-in rule', () => {
  const Own = (name: string, validate: (value: unknown) => boolean) =>
    ValidateBy({ name, validator: { validate } });
  const builtinsOf = (target: Function, read = readRules) =>
    read(target, {}).properties.flatMap(({ defined, leaves }) =>
      [...defined, ...leaves].map(({ builtin }) => builtin),
    );

  it('is recognised, whether or not it has arguments', () => {
    class All {
      @IsInt() @IsString() @IsEmail() @Min(1) @Length(1, 2) @Matches(/a/) @IsIn([1]) a!: unknown;
      @IsArray() @IsNotEmpty() @IsDefined() @IsOptional() @ValidateNested() b!: unknown;
    }
    expect(builtinsOf(All)).toEqual([
      'IsIn',
      'Matches',
      'Length',
      'Min',
      'IsEmail',
      'IsString',
      'IsInt',
      'IsDefined',
      'IsNotEmpty',
      'IsArray',
    ]);
  });

  it('is recognised by the name of its decorator, and outdates nothing when it is', () => {
    const without = new Set(['IsInstance', 'Validate', 'ValidateBy', 'ValidateIf', 'ValidateNested']);
    const args: Readonly<Record<string, unknown[]>> = { IsEnum: [{}], IsIn: [[]], IsNotIn: [[]] };
    const recognised = Object.entries(library).flatMap(([name, decorator]) => {
      if (typeof decorator !== 'function' || !/^[A-Z]/.test(name) || without.has(name)) return [];
      class Declared {}
      try {
        const decorate = (decorator as (...values: unknown[]) => PropertyDecorator)(...(args[name] ?? []));
        decorate(Declared.prototype, 'value');
      } catch {
        return [];
      }
      const before = rulesGeneration();
      const builtins = builtinsOf(Declared);
      expect(rulesGeneration()).toBe(before);
      return builtins.map((builtin) => [name, builtin]);
    });
    expect(recognised.length).toBeGreaterThan(95);
    expect(recognised.filter(([name, builtin]) => name !== builtin)).toEqual([]);
  });

  it('is recognised whenever it was declared, without a change of globals', async () => {
    class Early {
      @IsInt() @IsArray() @IsObject() @ArrayNotEmpty() @IsString() @Min(1) a!: unknown;
      @Own('isArray', Array.isArray) d!: unknown;
      @IsNotEmpty() @IsDefined() @IsEmpty() e!: unknown;
    }
    vi.resetModules();
    const late = await vi.importActual<typeof ruleShape>('./rule-shape');
    expect(builtinsOf(Early, late.readRules)).toEqual([
      'Min',
      'IsString',
      'ArrayNotEmpty',
      'IsObject',
      'IsArray',
      'IsInt',
      undefined,
      'IsDefined',
      'IsEmpty',
      'IsNotEmpty',
    ]);
  });

  it('is recognised without a change of its regular expression', () => {
    const pattern = /[a-z@.]+/y;
    class Sticky {
      @Matches(pattern) a!: unknown;
    }
    expect([builtinsOf(Sticky), pattern.lastIndex]).toEqual([['Matches'], 0]);
    pattern.test('abc');
    expect([builtinsOf(Sticky), pattern.lastIndex]).toEqual([['Matches'], 3]);
  });

  it('is recognised if it takes a function, unless a function was passed, which is not called', () => {
    const identifier = vi.fn<(value: unknown) => unknown>((value) => value);
    class Lists {
      @library.ArrayUnique() @library.ArrayUnique({ each: true }) a!: unknown;
      @library.ArrayUnique(identifier) b!: unknown;
    }
    expect(builtinsOf(Lists)).toEqual(['ArrayUnique', 'ArrayUnique', undefined]);
    expect(identifier).not.toHaveBeenCalled();
  });

  it('is not confused with another rule of the same name', () => {
    class Fake {
      @Own('isInt', (value) => isInt(value)) a!: unknown;
      @Own('isString', (value) => value instanceof String) b!: unknown;
      @Own('min', () => true) c!: unknown;
      @Own('isNotEmpty', () => true) d!: unknown;
      @ValidateBy({
        name: 'isEmail',
        validator: {
          validate: (value) =>
            typeof value === 'string' && isEmail(value) && !value.endsWith('@10minutemail.com'),
          defaultMessage: () => '$property must be an email',
        },
      })
      e!: unknown;
      @ValidateIf((object: Record<string, unknown>) => object['f'] !== null && object['f'] !== undefined)
      f!: unknown;
    }
    expect(builtinsOf(Fake)).toEqual([undefined, undefined, undefined, undefined, undefined]);
    expect(readRules(Fake, {}).properties.map(({ isOptional }) => isOptional)).not.toContain(true);
  });
});

describe('a custom rule', () => {
  const short = {
    name: 'short',
    constraints: [2],
    test: (value: unknown) => String(value).length < 3,
    message: (eachPrefix: string) => `${eachPrefix}$property is longer than $constraint1`,
  };
  class Owned {
    @ownRule(short, { each: true }) @ValidateIf(isGiven) a!: unknown;
    @ValidateIf(isGiven) @IsOptional() b!: unknown;
    @ValidateIf(() => true) c!: unknown;
  }

  it('is compiled by its test if it was declared by ownRule, and so is the condition isGiven', () => {
    const [a, b, c] = readRules(Owned, {}).properties;
    expect(a?.leaves.map(({ ownTest, builtin }) => [ownTest, builtin])).toEqual([[short.test, undefined]]);
    expect([a, b, c].map((rules) => [rules?.isOptional, rules?.isIfGiven])).toEqual([
      [false, true],
      [true, false],
      [false, false],
    ]);
  });

  it('is an ordinary rule for class-validator', () => {
    expect(validateSync(Object.assign(new Owned(), { a: ['abc'] }))).toMatchObject([
      { constraints: { short: 'each value in a is longer than 2' } },
    ]);
    expect(validateSync(Object.assign(new Owned(), { a: ['ab'] }))).toEqual([]);
  });
});

describe('a shape', () => {
  const isOlderAfter = (change: () => void) => {
    const before = rulesGeneration();
    change();
    return rulesGeneration() > before;
  };

  it('is out of date when a decorator runs later, or the storage is cleared or replaced', () => {
    const storage = getMetadataStorage();
    const inside = storage as unknown as { validationMetadatas: Map<unknown, unknown> };
    const kept = inside.validationMetadatas;
    expect(isOlderAfter(() => undefined)).toBe(false);
    expect(isOlderAfter(() => IsInt()(Subclass.prototype, 'late'))).toBe(true);
    expect(isOlderAfter(() => (inside.validationMetadatas = new Map(kept)))).toBe(true);
    const cleared = inside.validationMetadatas;
    expect(isOlderAfter(() => cleared.clear())).toBe(true);
    expect(isOlderAfter(() => (inside.validationMetadatas = kept))).toBe(true);
    expect(namesOf(Subclass).flat()).toContain('late');
  });

  it('is read from a tested version of class-validator', () => {
    expect(installedValidator()).toBe('0.15');
    expect(validatorDialect()).toMatchObject({ forbidsUnknown: true, nestsRefusals: false });
  });
});
