import { assemble } from '../../shapes/code/assemble';
import { code } from '../../shapes/code/code';
import { Scope } from '../../shapes/code/scope';
import { readRules } from '../../shapes/rules/rule-shape';
import * as library from 'class-validator';
import fc from 'fast-check';
import { anyValue, mutated } from '../../../testing/validation/generated-values';
import { Random } from '../../../testing/validation/random';
import { builtInRules } from './facts';
import { compileRule } from './rule';
import { compileTest, ruleTests } from './rules';
import { readSettings } from '../plan/settings';
import { compileValidator } from '../validators/compile-validator';

enum Colour {
  Red = 'red',
  One = 1,
}

/** Arguments of decorators, including unusual ones. */
const GIVEN: Record<string, readonly (readonly unknown[])[]> = {
  IsByteLength: [[1, 2]],
  Min: [[0], [2.5], [Number.NaN], ['1']],
  Max: [[0], [7], [Infinity], [null]],
  MinLength: [[0], [1], [3], [8], [1.5], [undefined]],
  MaxLength: [[0], [1], [3], [8], [Infinity]],
  Length: [[0, 1], [2, 5], [3], [5, 2], [null, 3]],
  ArrayMinSize: [[0], [2], ['1']],
  ArrayMaxSize: [[0], [2]],
  IsIn: [[['abc', 1, null]], [[Number.NaN]], [[, 1]], ['abc']],
  IsNotIn: [[['abc', 1, null]], [[, 1]], ['abc']],
  Equals: [['abc'], [Number.NaN], [0], [null]],
  NotEquals: [['abc'], [Number.NaN], [0]],
  Matches: [[/^[a-z]+$/i], [/a/], [/\d/u], [/^$/m]],
  IsUUID: [[undefined], ['all'], ['4'], ['1'], ['nil'], [4], ['toString']],
  IsISO8601: [
    [undefined],
    [{ strict: true }],
    [{ strictSeparator: true }],
    [{ strict: true, strictSeparator: true }],
  ],
  IsNumber: [
    [{}],
    [{ allowNaN: true }],
    [undefined],
    [{ maxDecimalPlaces: 2 }],
    [{ maxDecimalPlaces: -1 }],
    [{ maxDecimalPlaces: 1, allowInfinity: true }],
  ],
  IsEnum: [
    [Colour, []],
    [{ none: Number.NaN, zero: 0 }, []],
    [['abc', 12], []],
  ],
  IsDateString: [[undefined], [{ strict: true }], [{ strict: true, strictSeparator: true }]],
  IsNumberString: [[undefined], [{}], [{ no_symbols: true }], [{ locale: 'de-DE' }]],
  Contains: [['a']],
  IsEmail: [[undefined], [{}], [{ require_tld: false }]],
};

/** Strings similar to valid ones. */
const NEAR: Record<string, readonly string[]> = {
  IsUUID: [
    '7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a',
    '00000000-0000-0000-0000-000000000000',
    'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF',
  ],
  IsISO8601: [
    '2024-02-28T12:30:15.123Z',
    '2024-02-29T23:59:59Z',
    '2023-02-29T00:00:00Z',
    '1999-12-31T24:00:00Z',
    '0024-02-28T12:30:15Z',
  ],
  IsDateString: [
    '2024-02-28T12:30:15.123Z',
    '2024-02-29',
    '2023-02-29',
    '2024-12-31',
    '0999-01-01',
    '2024-060',
  ],
  IsMongoId: ['507f1f77bcf86cd799439011', '0x7f1f77bcf86cd799439011', '507F1F77BCF86CD79943901'],
  IsNumberString: ['123', '-1.5', '1,5', '+7', '1e5', ''],
  MinLength: ['👍👍👍', 'a\ufe0fb\ufe0e', '\ud83d\ud83d\ude00'],
  MaxLength: ['👍👍👍', 'a\ufe0fb\ufe0e', '\ud83d\ud83d\ude00'],
  Length: ['👍👍👍', 'a\ufe0fb\ufe0e', '\ud83d\ud83d\ude00'],
  IsEmail: [
    'ann@example.org',
    'a.b+c@x-y.example.co',
    'a@xn--p1ai.com',
    'a@b.xn--p1ai',
    `${'x'.repeat(64)}@b.co`,
    `a@${'b'.repeat(63)}.co`,
    `a@${'b.'.repeat(124)}com`,
    '"a b"@example.org',
    'a@b.c-d.xn-1',
  ],
};

const predicates = library as unknown as Record<string, (value: unknown, ...args: unknown[]) => boolean>;
const predicateFor = (name: string) =>
  predicates[name === 'IsUrl' ? 'isURL' : name[0]!.toLowerCase() + name.slice(1)]!;

function resultOf(ask: () => unknown): unknown {
  try {
    return ask();
  } catch (error) {
    return (error as Error).constructor.name;
  }
}

const RUNS = Number(process.env['LEAF_RUNS'] ?? 3000);

const compiled = builtInRules.filter(({ name }) =>
  (GIVEN[name] ?? [[]]).some((args) => compileBuiltIn(name, args)),
);

function compileBuiltIn(name: string, args: readonly unknown[]) {
  return compileRule(name, ruleTests[name] ?? {}, args);
}

describe('the built-in rules', () => {
  it('are those of the library, by the keys of their messages', () => {
    const keys = builtInRules.map(({ name }) => {
      class Declared {}
      const [args = []] = GIVEN[name] ?? [];
      const decorator = Reflect.get(library, name) as (...values: unknown[]) => PropertyDecorator;
      decorator(...args)(Declared.prototype, 'value');
      const storage = library.getMetadataStorage();
      const [declared] = storage.getTargetValidationMetadatas(Declared, '', false, false);
      return storage.getTargetValidatorConstraints(declared!.constraintCls)[0]!.name;
    });
    expect(builtInRules.map(({ key }) => key)).toEqual(keys);
  });

  it('are declared once', () => {
    expect(new Set(builtInRules.map(({ key }) => key)).size).toBe(builtInRules.length);
    expect(compiled.length).toBeGreaterThan(30);
    const names = builtInRules.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(Object.keys(ruleTests)));
  });
});

describe.each(compiled)('$name', (rule) => {
  it.each((GIVEN[rule.name] ?? [[]]).map((args) => [args]))(
    'has the same results as the library, with %j',
    (constraints) => {
      const proven = compileBuiltIn(rule.name, constraints);
      if (!proven) return;
      const scope = new Scope();
      const value = scope.fresh('value');
      const body = code`return (${value}) => ${proven.emit(value, scope)};`;
      const written = assemble<(value: unknown) => unknown>(rule.name, body, scope).made;
      const same = (seed: number) => {
        const random = new Random(seed);
        const near = NEAR[rule.name];
        const input =
          near && random.chance(80) ? mutated(random, mutated(random, random.pick(near))) : anyValue(random);
        // Predicates of class-validator 0.13 may return undefined.
        const results = [predicateFor(rule.name), proven.test, written].map((test, at) =>
          resultOf(() => Boolean(test(input, ...(at === 0 ? constraints : [])))),
        );
        expect(results).toEqual([results[0], results[0], results[0]]);
      };
      fc.assert(fc.property(fc.nat(), same), { numRuns: RUNS });
    },
  );
});

it('IsEnum takes a number by a name that is the enum’s own and enumerable, as the library does', () => {
  const members = Object.create({ Inherited: 3 }) as Record<string, unknown>;
  Object.assign(members, { 0: 'Zero', Zero: 0, 1: 'Hidden', 2: 'Other', Other: 7, 3: 'Inherited', 4: 5 });
  Object.defineProperty(members, 'Hidden', { value: 1 });
  const { test } = compileBuiltIn('IsEnum', [members, []])!;
  const numbers = [0, -0, 1, 2, 3, 4, 5, 7, Number.NaN];
  expect(numbers.map((value) => test(value))).toEqual(numbers.map((value) => library.isEnum(value, members)));
  expect(numbers.filter((value) => test(value))).toEqual([0, -0, 5, 7]);
});

describe('a rule that is called twice for one value', () => {
  const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)]);
  const compiles = (decorate: PropertyDecorator): boolean => {
    class Declared {}
    decorate(Declared.prototype, 'value');
    const [rule] = readRules(Declared, readSettings({})).properties[0]!.leaves;
    return compileTest(rule!) !== undefined;
  };

  it.each<[PropertyDecorator, string]>([
    [library.Matches(/a/g), 'Matches /a/g'],
    [library.Matches(/a/y), 'Matches /a/y'],
    [library.IsUrl({ host_whitelist: [/a/g] }), 'IsUrl [/a/g]'],
    [library.IsUrl({ host_blacklist: [/a/y] }), 'IsUrl [/a/y]'],
    [library.MinDate(() => new Date()), 'MinDate of a function'],
    [library.ArrayContains([() => 1]), 'ArrayContains of a function'],
    [library.ArrayContains([/a/g]), 'ArrayContains of /a/g'],
    [library.ArrayContains([deep(5)]), 'ArrayContains of a deep list'],
  ])('has no argument with a state: %o, %s', (decorate) => {
    expect(compiles(decorate)).toBe(false);
  });

  it.each<[PropertyDecorator, string]>([
    [library.Matches(/a/iu), 'Matches /a/iu'],
    [library.IsUrl({ host_whitelist: [/a/i] }), 'IsUrl [/a/i]'],
    [library.MinDate(new Date()), 'MinDate'],
    [library.ArrayContains([null, undefined, 1, /a/, deep(3)]), 'ArrayContains'],
  ])('may have others: %o, %s', (decorate) => {
    expect(compiles(decorate)).toBe(true);
  });

  it('has the result of the library with a regular expression that remembers where it was', () => {
    class Declared {
      @library.IsUrl({ host_whitelist: [/org/g] }) @library.IsInt() site!: string;
    }
    const { check } = compileValidator(Declared);
    const counted = Array.from({ length: 4 }, () => {
      const result = check({ site: 'https://example.org' }) as { errors: library.ValidationError[] };
      return Object.keys(result.errors[0]!.constraints!);
    });
    expect(counted).toEqual([['isInt'], ['isInt', 'isUrl'], ['isInt'], ['isInt', 'isUrl']]);
  });
});
