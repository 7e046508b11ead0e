import { isGiven, ownRule } from '../../src/shapes/rules/own-rule';
import { ownReading } from '../../src/shapes/transforms/own-reading';
import * as transformer from 'class-transformer';
import * as validator from 'class-validator';
import type { ValidationOptions } from 'class-validator';
import { builtInRules } from '../../src/validation/built-in-rules/facts';
import { mutated } from './generated-values';
import type { Random } from './random';

type Decorate = (target: object, name: string) => void;
type MakeRule = (options: ValidationOptions | undefined, random: Random) => Decorate;
export type MakeValue = (random: Random) => unknown;

/** The decorators for a property, with mostly valid values. */
export type GeneratedRules = readonly (readonly [name: string, rule: MakeRule, value: MakeValue])[];

enum Colour {
  Red = 'red',
  Blue = 'blue',
  One = 1,
}

/** A regular expression with state, which must be reset between the two sides. */
export const STICKY = /a/y;

const at = (random: Random) => random.below(6);
export const text: MakeValue = (random) => random.pick(['a', 'abc', 'abcdefgh', 'x@y.co', '👍👍', '12']);
export const whole: MakeValue = (random) => random.below(12);
const email: MakeValue = (random) =>
  mutated(
    random,
    random.pick([
      'ann@example.org',
      'Ann.Lee+tag@sub.example.co',
      'a@b.co',
      'x_y@xn--p1ai.com',
      'a@b.xn--p1ai',
    ]),
  );
const kept =
  <Value>(percent: number, good: MakeValue, fallback: Value) =>
  (random: Random) =>
    random.chance(percent) ? good(random) : fallback;

const digitsRead = (sent: unknown): unknown =>
  typeof sent === 'string' && /^[0-9]+$/.test(sent) ? Number(sent) : sent;

/** The built-in rules, with mostly valid values. */
export const RULES: GeneratedRules = [
  ['IsString', (o) => validator.IsString(o), text],
  ['IsInt', (o) => validator.IsInt(o), whole],
  [
    'IsNumber',
    (o, r) =>
      validator.IsNumber(
        r.pick([undefined, {}, { allowNaN: true }, { allowInfinity: true }, { maxDecimalPlaces: 1 }]),
        o,
      ),
    whole,
  ],
  ['IsBoolean', (o) => validator.IsBoolean(o), (r) => r.chance(50)],
  ['IsArray', (o) => validator.IsArray(o), (r) => Array.from({ length: r.below(4) }, () => text(r))],
  [
    'IsEmail',
    (o, r) =>
      validator.IsEmail(
        r.pick([undefined, undefined, {}, { allow_display_name: true }, { require_tld: false }]) as never,
        o,
      ),
    email,
  ],
  ['MinLength', (o, r) => validator.MinLength(at(r), o), text],
  ['MaxLength', (o, r) => validator.MaxLength(at(r), o), text],
  ['Length', (o, r) => validator.Length(at(r), r.chance(70) ? at(r) + 3 : undefined, o), text],
  ['Min', (o, r) => validator.Min(at(r), o), whole],
  ['Max', (o, r) => validator.Max(at(r) + 3, o), whole],
  [
    'IsIn',
    (o, r) => validator.IsIn(r.pick([['abc', 12], ['a'], [Number.NaN, null], ['$property', '$&']]), o),
    kept(70, () => 'abc', 12),
  ],
  ['IsNotIn', (o) => validator.IsNotIn(['abc', 12], o), text],
  ['IsEnum', (o) => validator.IsEnum(Colour, o), (r) => r.pick(['red', 'blue', 1, 'One'])],
  ['IsNotEmpty', (o) => validator.IsNotEmpty(o), text],
  ['IsEmpty', (o) => validator.IsEmpty(o), (r) => r.pick(['', null, undefined])],
  ['IsDefined', (o) => validator.IsDefined(o), text],
  ['Matches', (o, r) => validator.Matches(r.pick([/^[a-z]+$/, /a/g, STICKY, /^$/, /[a-c]{2,}/i]), o), text],
  ['Matches(text)', (o) => validator.Matches('b', 'i' as never, o), text],
  [
    'IsUUID',
    (o, r) => validator.IsUUID(r.pick([undefined, '4', 'all', 'nil', 4]) as never, o),
    (r) => mutated(r, '7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a'),
  ],
  [
    'IsISO8601',
    (o, r) => validator.IsISO8601(r.pick([undefined, {}, { strict: true }, { strictSeparator: true }]), o),
    (r) => mutated(r, '2024-02-29T12:30:15.123Z'),
  ],
  ['IsDate', (o) => validator.IsDate(o), (r) => r.pick([new Date(1), '2024-01-01'])],
  ['IsDateString', (o) => validator.IsDateString({}, o), (r) => mutated(r, '2024-02-29T12:30:15Z')],
  ['IsObject', (o) => validator.IsObject(o), () => ({ a: 1 })],
  ['IsPositive', (o) => validator.IsPositive(o), whole],
  ['IsNegative', (o) => validator.IsNegative(o), whole],
  ['Equals', (o) => validator.Equals('abc', o), text],
  ['NotEquals', (o) => validator.NotEquals('abc', o), text],
  [
    'ArrayMinSize',
    (o, r) => validator.ArrayMinSize(at(r), o),
    (r) => Array.from({ length: r.below(5) }, () => whole(r)),
  ],
  [
    'ArrayMaxSize',
    (o, r) => validator.ArrayMaxSize(at(r), o),
    (r) => Array.from({ length: r.below(5) }, () => whole(r)),
  ],
  [
    'ArrayNotEmpty',
    (o) => validator.ArrayNotEmpty(o),
    (r) => Array.from({ length: r.below(3) }, () => whole(r)),
  ],
  ['ArrayUnique', (o) => validator.ArrayUnique(o), (r) => Array.from({ length: r.below(3) }, () => whole(r))],
  ['Contains', (o) => validator.Contains('a', o), text],
  ['IsUrl', (o) => validator.IsUrl({}, o), () => 'https://a.co/x'],
  ['IsNumberString', (o) => validator.IsNumberString({}, o), () => '12'],
  ['IsOptional', (o) => validator.IsOptional(o), (r) => r.pick(['abc', null, undefined])],
  ['Allow', (o) => validator.Allow(o), text],
  [
    'ownRule',
    (o) =>
      ownRule(
        {
          name: 'short',
          constraints: [3],
          test: (value) => typeof value !== 'string' || value.length <= 3,
          message: (prefix) => `${prefix}$property is longer than $constraint1: $value`,
        },
        o,
      ),
    text,
  ],
  ['isGiven', (o) => validator.ValidateIf(isGiven, o), kept(60, text, undefined)],
  ['ownReading', () => ownReading(digitsRead), kept(60, () => '12', 'x')],
];

/** The rules that the compiler knows, for most of their arguments. */
export const WRITTEN = new Set([
  ...builtInRules.map(({ name }) => name),
  ...['IsOptional', 'Allow', 'ownRule', 'isGiven', 'ownReading'],
]);

export const SHAPES: GeneratedRules = [
  ['Expose', () => transformer.Expose(), text],
  ['Expose(name)', () => transformer.Expose({ name: 'p1' }), text],
  ['Expose(group)', () => transformer.Expose({ groups: ['a'] }), text],
  ['Expose(since)', () => transformer.Expose({ since: 2 }), text],
  ['Exclude', () => transformer.Exclude(), text],
  ['Exclude(toClass)', () => transformer.Exclude({ toClassOnly: true }), text],
];
