import 'reflect-metadata';
import { isGiven, ownReading, ownRule } from '@app/shapes';
import * as transformer from 'class-transformer';
import * as validator from 'class-validator';
import type { ValidationOptions } from 'class-validator';
import { LEAVES } from '../src/emit/leaves/rules';
import type { CompileOptions } from '../src/plan/settings';
import { anyValue, fieldsOf, mutated, STRANGE_NAMES } from './generated-values';
import type { Random } from './random';

type Decorate = (target: object, name: string) => void;
type MakeRule = (options: ValidationOptions | undefined, random: Random) => Decorate;
type MakeValue = (random: Random) => unknown;

/** A generated class, likely valid values, and how to remove it from the libraries' storage. */
export interface GeneratedClass {
  readonly type: new () => object;
  readonly makeValue: MakeValue;
  readonly description: readonly string[];
}

/** Which parts of the libraries a generated class may use. */
export interface Ingredients {
  /** Validators and transforms written by the user, asynchronous ones among them. */
  readonly userCode: boolean;
  /** `Expose`, `Exclude`, getters, methods, fields with a default. */
  readonly shapes: boolean;
  /**
   * Rules that return a promise without being declared as asynchronous; `validateSync` leaves their rejections
   * unhandled.
   */
  readonly promises: boolean;
  /** Only what can be written as code: for tests of that alone. */
  readonly plain: boolean;
  /** Derives a class from another one, or returns it. */
  readonly derive?: ((random: Random, type: new () => object) => new () => object) | undefined;
}

enum Colour {
  Red = 'red',
  Blue = 'blue',
  One = 1,
}

/** Has state, which must be reset between the two sides. */
export const STICKY = /a/y;

const at = (random: Random) => random.below(6);
const text: MakeValue = (random) => random.pick(['a', 'abc', 'abcdefgh', 'x@y.co', '👍👍', '12']);
const whole: MakeValue = (random) => random.below(12);
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
  <Value>(percent: number, good: MakeValue, other: Value) =>
  (random: Random) =>
    random.chance(percent) ? good(random) : other;

const digitsRead = (sent: unknown): unknown =>
  typeof sent === 'string' && /^[0-9]+$/.test(sent) ? Number(sent) : sent;

/** Built-in rules, with mostly valid values. */
const RULES: readonly (readonly [name: string, rule: MakeRule, value: MakeValue])[] = [
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

@validator.ValidatorConstraint({ name: 'evenLength' })
class EvenLength implements validator.ValidatorConstraintInterface {
  validate(value: unknown): boolean {
    return String(value).length % 2 === 0;
  }
  defaultMessage(given?: validator.ValidationArguments): string {
    return `$property of $target: ${given?.targetName} ${String(given?.value)} $value`;
  }
}

@validator.ValidatorConstraint({ name: 'lateTruth', async: true })
class LateTruth implements validator.ValidatorConstraintInterface {
  validate(value: unknown): Promise<boolean> {
    return Promise.resolve(typeof value === 'string');
  }
}

const byUser =
  (name: string, validate: (value: unknown) => boolean | Promise<boolean>) => (o?: ValidationOptions) =>
    validator.ValidateBy(
      {
        name,
        constraints: [1, '$value'],
        validator: { validate, defaultMessage: () => 'own $constraint1 $constraint2 $property' },
      },
      o,
    );

const CONVERTED = [Number, String, Boolean, Date];

/** Rules that are known to the compiler, for most of their arguments. */
const WRITTEN = new Set([...LEAVES.keys(), 'IsOptional', 'Allow', 'ownRule', 'isGiven', 'ownReading']);

/** Rules written by a user, some under names of the library. */
const USER_RULES: typeof RULES = [
  [
    'ValidateIf',
    (o) => validator.ValidateIf((object: object, value) => value !== 'abc' && 'p0' in object, o),
    text,
  ],
  ['Validate', (o) => validator.Validate(EvenLength, [3], o), text],
  ['Validate(async)', (o) => validator.Validate(LateTruth, o), text],
  [
    'changing',
    (o) =>
      validator.ValidateBy(
        {
          name: 'changing',
          validator: {
            validate: (value, given) => {
              if (value === 'abc') Reflect.set(given!.object, 'p1', 'changed');
              return true;
            },
          },
        },
        o,
      ),
    text,
  ],
  ['isInt(own)', byUser('isInt', (value) => typeof value === 'string'), text],
  ['isString(own)', byUser('isString', (value) => value instanceof Date), text],
  [
    'Transform',
    () =>
      transformer.Transform(({ value }) => (typeof value === 'string' ? value.trim() : (value as unknown))),
    text,
  ],
  [
    'Transform(obj)',
    () =>
      transformer.Transform(({ obj, key }) => (obj as Record<string, unknown>)[key] ?? 'none', {
        toClassOnly: true,
      }),
    text,
  ],
  ['Transform(group)', () => transformer.Transform(() => 7, { groups: ['a'] }), whole],
];

const PROMISE_RULES: typeof RULES = [
  ['promise', byUser('promised', (value) => Promise.resolve(value === 'abc')), text],
  ['mixed', byUser('mixed', (value) => (typeof value === 'string' ? Promise.resolve(true) : false)), text],
  ['ValidatePromise', (o) => validator.ValidatePromise(o), (r) => Promise.resolve(text(r))],
];

const SHAPES: typeof RULES = [
  ['Expose', () => transformer.Expose(), text],
  ['Expose(name)', () => transformer.Expose({ name: 'p1' }), text],
  ['Expose(group)', () => transformer.Expose({ groups: ['a'] }), text],
  ['Expose(since)', () => transformer.Expose({ since: 2 }), text],
  ['Exclude', () => transformer.Exclude(), text],
  ['Exclude(toClass)', () => transformer.Exclude({ toClassOnly: true }), text],
];

const MESSAGES = [
  undefined,
  undefined,
  undefined,
  '$property is wrong: $value',
  '$target.$property $constraint1 $constraint2',
  '',
  (given: validator.ValidationArguments) => `${given.property}!`,
];

function ruleOptions(random: Random, { plain }: Ingredients): ValidationOptions | undefined {
  if (random.chance(60)) return undefined;
  const options: ValidationOptions = {};
  if (random.chance(30)) options.each = true;
  if (random.chance(30)) options.groups = random.pick([['a'], ['b'], ['a', 'b'], []]);
  if (random.chance(10)) options.always = random.chance(50);
  if (random.chance(40)) options.message = random.pick(MESSAGES) as string;
  if (random.chance(8) && !plain) options.context = { code: random.below(3) };
  return options;
}

const BASES: readonly ((shapes: boolean) => new () => object)[] = [
  () => class {},
  () => class {},
  () => class {},
  () =>
    class {
      p0 = 'abc';
      p1: unknown = null;
      p2: unknown[] = [];
    },
  () =>
    class {
      p3 = 5;
      p0 = true;
      p2: unknown = {};
    },
  (shapes) =>
    shapes
      ? class {
          p0 = 7;
        }
      : class {},
  (shapes) =>
    shapes
      ? class {
          p1: unknown;
          constructor() {
            Object.assign(this, { p2: undefined, p0: undefined });
          }
        }
      : class {},
  (shapes) =>
    shapes
      ? class {
          p1() {
            return 1;
          }
        }
      : class {},
  (shapes) =>
    shapes
      ? class {
          get p0() {
            return 1;
          }
        }
      : class {},
  (shapes) =>
    shapes
      ? class {
          #held: unknown = 1;
          get p2() {
            return this.#held;
          }
          set p2(value: unknown) {
            this.#held = value;
          }
        }
      : class {},
];

/** Generates a class with a few properties and rules, and possibly an ancestor and parts of other classes. */
export function generateClass(random: Random, ingredients: Ingredients, depth = 0): GeneratedClass {
  const description: string[] = [];
  const ancestor = random.chance(20) && depth < 2 ? generateClass(random, ingredients, 2) : undefined;
  const base = ancestor?.type ?? random.pick(BASES)(ingredients.shapes && random.chance(30));
  const type = ancestor ? class extends base {} : base;
  Object.defineProperty(type, 'name', { value: `C${depth}` });
  const names = random.shuffled(['p0', 'p1', 'p2', 'p3', 'first-name', '7']).slice(0, 1 + random.below(5));
  const values = new Map<string, MakeValue>();
  for (const name of names) values.set(name, declare(random, type, name, ingredients, depth, description));
  const mapped = ingredients.derive?.(random, type) ?? type;
  if (ingredients.shapes && random.chance(6)) random.pick([transformer.Exclude, transformer.Expose])()(type);
  const makeValue = (own: Random) => makeInput(own, names, values, ancestor);
  return {
    type: mapped,
    makeValue,
    description: [
      ...(mapped === type ? [] : ['mapped']),
      ...description,
      ...(ancestor?.description.map((one) => `< ${one}`) ?? []),
    ],
  };
}

function declare(
  random: Random,
  type: new () => object,
  name: string,
  ingredients: Ingredients,
  depth: number,
  description: string[],
): MakeValue {
  const target = type.prototype as object;
  if (depth < 2 && random.chance(25))
    return declareNested(random, target, name, ingredients, depth, description);
  const pool = [
    ...RULES.filter(([rule]) => !ingredients.plain || WRITTEN.has(rule)),
    ...RULES.filter(([rule]) => WRITTEN.has(rule)),
    ...(ingredients.userCode ? [...USER_RULES, ...USER_RULES] : []),
    ...(ingredients.userCode && ingredients.promises ? PROMISE_RULES : []),
    ...(ingredients.shapes ? SHAPES : []),
  ];
  const chosen = Array.from({ length: random.pick([1, 1, 1, 2, 2, 3]) }, () => random.pick(pool));
  for (const [rule, make] of chosen) {
    const options = ruleOptions(random, ingredients);
    make(options, random)(target, name);
    description.push(`${name}: ${rule} ${JSON.stringify(options) ?? ''}`);
  }
  if (random.chance(8)) declareType(ingredients, random, target, name, description);
  return random.pick(chosen)[2];
}

function declareType(
  ingredients: Ingredients,
  random: Random,
  target: object,
  name: string,
  description: string[],
): void {
  const type = random.pick(ingredients.plain ? CONVERTED : [...CONVERTED, Object, Array, Map, Set]);
  description.push(`${name}: Type(${type.name})`);
  if (random.chance(50)) transformer.Type(() => type)(target, name);
  else Reflect.defineMetadata('design:type', type, target, name);
}

function declareNested(
  random: Random,
  target: object,
  name: string,
  ingredients: Ingredients,
  depth: number,
  description: string[],
): MakeValue {
  const part = generateClass(random, ingredients, depth + 1);
  const isList = random.chance(60);
  const options = random.chance(70) ? { each: isList } : ruleOptions(random, ingredients);
  if (ingredients.plain || random.chance(90)) transformer.Type(() => part.type)(target, name);
  if (ingredients.plain || random.chance(95)) validator.ValidateNested(options)(target, name);
  if (isList && random.chance(60)) validator.IsArray(ruleOptions(random, ingredients))(target, name);
  if (random.chance(20)) validator.IsOptional()(target, name);
  description.push(`${name}: ValidateNested ${JSON.stringify(options)} [${part.description.join('; ')}]`);
  const one: MakeValue = (own) => (own.chance(92) ? part.makeValue(own) : anyValue(own));
  return (own) =>
    isList && own.chance(90) ? Array.from({ length: own.below(4) }, () => one(own)) : one(own);
}

function makeInput(
  random: Random,
  names: readonly string[],
  values: ReadonlyMap<string, MakeValue>,
  ancestor: GeneratedClass | undefined,
): object {
  const inherited = ancestor ? (ancestor.makeValue(random) as Record<string, unknown>) : {};
  const present = [...new Set([...names, ...Object.keys(inherited)])].filter(() => random.chance(93));
  const strange = random.chance(20) ? [random.pick(STRANGE_NAMES)] : [];
  const order = random.chance(70) ? [...present, ...strange] : random.shuffled([...present, ...strange]);
  return fieldsOf([...new Set(order)], (name) => {
    if (random.chance(8)) return anyValue(random);
    const own = values.get(name)?.(random) ?? (Object.hasOwn(inherited, name) ? inherited[name] : undefined);
    return own === undefined && random.chance(70) ? anyValue(random) : own;
  });
}

/** Options of both libraries, the usual ones most often. */
export function generateOptions(random: Random): CompileOptions {
  const some = <Value>(percent: number, name: string, value: () => Value) =>
    random.chance(percent) ? { [name]: value() } : {};
  const flag = () => random.chance(80);
  return {
    ...some(60, 'whitelist', flag),
    ...some(45, 'forbidNonWhitelisted', flag),
    ...some(40, 'forbidUnknownValues', () => random.chance(20)),
    ...some(12, 'stopAtFirstError', flag),
    ...some(8, 'skipMissingProperties', flag),
    ...some(5, 'skipNullProperties', flag),
    ...some(5, 'skipUndefinedProperties', flag),
    ...some(8, 'dismissDefaultMessages', flag),
    ...some(15, 'groups', () => random.pick([() => ['a'], () => ['b'], () => ['a', 'b'], () => []])()),
    ...some(8, 'always', flag),
    ...some(8, 'strictGroups', flag),
    ...some(25, 'validationError', () => ({
      target: random.pick([false, true]),
      ...some(50, 'value', () => random.pick([false, true])),
    })),
    ...some(80, 'ignoreAsync', () => true),
    ...some(25, 'transformOptions', () => generateTransformOptions(random)),
  };
}

function generateTransformOptions(random: Random): transformer.ClassTransformOptions {
  const some = <Value>(percent: number, name: string, value: () => Value) =>
    random.chance(percent) ? { [name]: value() } : {};
  return {
    ...some(50, 'enableImplicitConversion', () => true),
    ...some(15, 'exposeDefaultValues', () => true),
    ...some(15, 'exposeUnsetFields', () => false),
    ...some(15, 'excludeExtraneousValues', () => true),
    ...some(15, 'groups', () => random.pick([['a'], ['b']])),
    ...some(10, 'version', () => random.below(4)),
    ...some(8, 'excludePrefixes', () => ['p1', 'f']),
    ...some(8, 'strategy', () => random.pick(['exposeAll', 'excludeAll'] as const)),
    ...some(4, 'ignoreDecorators', () => true),
    ...some(4, 'enableCircularCheck', () => true),
  };
}
