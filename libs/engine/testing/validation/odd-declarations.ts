import 'reflect-metadata';
import * as transformer from 'class-transformer';
import * as validator from 'class-validator';
import { anyValue } from './generated-values';
import { RULES, STICKY } from './generated-rules';
import type { Random } from './random';

type Make<Value> = (random: Random) => Value;

/** A generated class, and its inputs. */
export interface OddClass {
  readonly type: new () => object;
  readonly description: readonly string[];
  readonly makeInput: Make<unknown>;
}

const throwing = (name: string): object =>
  Object.defineProperty({}, name, {
    enumerable: true,
    get() {
      throw new Error(`${name} was read`);
    },
  });

/** Creates a proxy that behaves like its target. */
const proxied = <Target extends object>(target: Target): Target => new Proxy(target, {});

/** Creates a proxy that throws at everything except reading its members. */
const closed = <Target extends object>(target: Target): Target => {
  const refuse = (): never => {
    throw new TypeError('refused');
  };
  return new Proxy(target, {
    ownKeys: refuse,
    getPrototypeOf: refuse,
    getOwnPropertyDescriptor: refuse,
    has: refuse,
  });
};

const withoutText = <Value extends object>(value: Value): Value =>
  Object.assign(value, {
    toString: () => {
      throw new Error('toString was called');
    },
  });

const SYMBOL = Symbol('odd');

/** Rule names: absent names, built-in rule names, and names that objects have. */
const NAMES: readonly unknown[] = [
  undefined,
  undefined,
  '',
  'isInt',
  'isEmail',
  'IsInt',
  'isUuid',
  'length',
  'minLength',
  'own',
  'constructor',
  'toString',
  'hasOwnProperty',
  '__proto__',
  'then',
  'a\u2028"b',
  SYMBOL,
  7,
  -1.5,
  Number.NaN,
  0,
  null,
  false,
  true,
  10n,
  { toString: () => 'named' },
];

/** The rule arguments. */
const ARGUMENTS: readonly Make<unknown>[] = [
  () => undefined,
  () => null,
  (random) => random.below(5),
  () => Number.NaN,
  () => -0,
  () => 'abc',
  () => '$constraint1 $value $property',
  () => SYMBOL,
  () => 10n,
  () => /a/g,
  () => proxied(/a/),
  () => closed(/a/),
  () => ['a', 1],
  () => proxied(['a', 1]),
  () => closed(['a', 1]),
  () => proxied({ a: 1 }),
  () => closed({ a: 1 }),
  () => throwing('a'),
  () => throwing('length'),
  () => throwing('constructor'),
  () => withoutText({}),
  () => Object.create(null),
  () => () => 3,
  () => proxied(() => 3),
  () => class {},
  () => new Date(0),
  () => new Map([[1, 2]]),
  () => Object.assign(['a'], { own: 1 }),
];

const argument: Make<unknown> = (random) => random.pick(ARGUMENTS)(random);

const args: Make<unknown[]> = (random) => Array.from({ length: random.below(4) }, () => argument(random));

const MESSAGES: readonly Make<unknown>[] = [
  () => undefined,
  () => '',
  () => 'said $constraint1 $property $target',
  () => SYMBOL,
  () => 5,
  () => true,
  () => ({}),
  () => ['a'],
  () => () => 'from a function',
  () => () => undefined,
  () => proxied(() => 'from a proxy'),
  () =>
    function said(this: unknown) {
      return String(this === undefined);
    },
];

const options: Make<never> = (random) => {
  if (random.chance(40)) return undefined as never;
  if (random.chance(5)) return random.pick([null, 'text', 7, []]) as never;
  const result: Record<string, unknown> = {};
  if (random.chance(40)) result['message'] = random.pick(MESSAGES)(random);
  if (random.chance(25)) result['each'] = random.pick<unknown>([true, false, 1, 'yes', null]);
  if (random.chance(20))
    result['groups'] = random.pick<unknown>([['a'], [], 'a', [SYMBOL], null, [undefined]]);
  if (random.chance(10)) result['always'] = random.pick<unknown>([true, false, 1]);
  if (random.chance(15))
    result['context'] = random.pick<unknown>([
      { a: 1 },
      'text',
      7,
      proxied({ a: 1 }),
      throwing('a'),
      [1],
      SYMBOL,
    ]);
  if (random.chance(10))
    result['validateIf'] = random.pick<unknown>([() => true, () => false, proxied(() => true)]);
  return (random.chance(5) ? proxied(result) : result) as never;
};

/**
 * Generates options. A rule that is named like a member of every object gets no context, because the library would write it into
 * that member.
 */
function optionsOf(name: unknown, random: Random): never {
  const chosen: unknown = options(random);
  const isMember = typeof name === 'string' && name in Object.prototype;
  return (isMember && typeof chosen === 'object' ? { ...chosen, context: undefined } : chosen) as never;
}

/** The validators: objects, proxies, and classes. */
const VALIDATORS: readonly Make<object>[] = [
  () => ({ validate: (value: unknown) => value === 'abc' }),
  () => ({ validate: () => false, defaultMessage: () => '$property is not $constraint1' }),
  () => ({ validate: () => false, defaultMessage: () => undefined }),
  () => ({ validate: () => false, defaultMessage: 'no function' }),
  () => ({ validate: () => 1 }),
  () => ({ validate: () => '' }),
  () => ({ validate: () => Promise.resolve(true) }),
  () => ({ validate: () => ({}) }),
  () => ({}),
  () => ({
    validate() {
      throw new Error('thrown by a validator');
    },
  }),
  () => ({
    validate(this: object | undefined, value: unknown, context: { constraints: unknown }) {
      return this !== undefined && Array.isArray(context.constraints) === (typeof value === 'string');
    },
  }),
  () => proxied({ validate: () => false }),
  () => throwing('validate'),
  () => throwing('defaultMessage'),
  () =>
    Object.freeze({
      validate: Number.isInteger,
      defaultMessage: () => '$property must be an integer number',
    }),
  () =>
    class Ruled {
      validate(): boolean {
        return false;
      }
    },
  () =>
    class {
      static toString(): never {
        throw new Error('toString was called');
      }
      validate(value: unknown): boolean {
        return value === 'abc';
      }
    },
  () =>
    Object.defineProperty(
      class {
        validate(): boolean {
          return false;
        }
      },
      'name',
      { value: SYMBOL },
    ),
];

const validatorOf: Make<never> = (random) => random.pick(VALIDATORS)(random) as never;

type Decorate = (target: object, name: string) => void;

/** The decorators with arguments that their types may refuse. */
const calls = new Set([
  'Equals',
  'NotEquals',
  'IsIn',
  'IsNotIn',
  'IsEnum',
  'IsDivisibleBy',
  'Min',
  'Max',
  'MinDate',
  'MaxDate',
  'MinLength',
  'MaxLength',
  'Length',
  'Matches',
  'Contains',
  'NotContains',
  'ArrayMinSize',
  'ArrayMaxSize',
  'ArrayContains',
  'ArrayNotContains',
  'ArrayUnique',
  'IsInstance',
  'IsUUID',
  'IsIP',
  'IsEmail',
  'IsNumber',
  'IsISO8601',
  'IsDateString',
  'IsByteLength',
  'IsAlpha',
  'IsHash',
  'IsNumberString',
  'IsUrl',
]);

const RULE_DECLARATIONS: readonly (readonly [name: string, make: Make<Decorate>])[] = [
  [
    'registerDecorator',
    (random) => {
      const name = random.pick(NAMES);
      const more = {
        constraints: random.chance(80) ? args(random) : argument(random),
        options: optionsOf(name, random),
      };
      const async = random.chance(5) ? { async: true } : {};
      const own = { ...(random.chance(70) && { name }), ...more, ...async, validator: validatorOf(random) };
      return (target, propertyName) =>
        validator.registerDecorator({ target: target.constructor, propertyName, ...own } as never);
    },
  ],
  [
    'ValidateBy',
    (random) => {
      const name = random.pick(NAMES);
      const own = { ...(random.chance(70) && { name }), validator: validatorOf(random) };
      return validator.ValidateBy({ ...own, constraints: args(random) } as never, optionsOf(name, random));
    },
  ],
  [
    'Validate',
    (random) => {
      class Own {
        validate(value: unknown): boolean {
          return value === 'abc';
        }
      }
      const name = random.pick(NAMES);
      if (random.chance(80))
        validator.ValidatorConstraint(random.chance(30) ? undefined : ({ name } as never))(Own);
      return validator.Validate(
        Own,
        random.chance(60) ? args(random) : (optionsOf(name, random) as never),
        optionsOf(name, random),
      );
    },
  ],
  [
    'ValidateIf',
    (random) =>
      validator.ValidateIf(
        random.pick<never>([
          (() => true) as never,
          (() => 0) as never,
          proxied(() => true) as never,
          withoutText(() => true) as never,
          ((_: object, value: unknown) => value !== null) as never,
          ((object: Record<string, unknown>) => object['p1']) as never,
        ]),
        options(random),
      ),
  ],
  ['IsOptional', (random) => validator.IsOptional(options(random))],
  ['Allow', (random) => validator.Allow(options(random))],
  ['ValidateNested', (random) => validator.ValidateNested(options(random))],
  ['IsDefined', (random) => validator.IsDefined(options(random))],
  [
    'a built-in rule',
    (random) => {
      const name = random.pick([...calls]);
      const make = Reflect.get(validator, name) as (...values: unknown[]) => Decorate;
      return make(...args(random), options(random));
    },
  ],
  ['a usual rule', (random) => random.pick(RULES)[1](options(random), random)],
];

const TRANSFORM_DECLARATIONS: readonly (readonly [name: string, make: Make<Decorate>])[] = [
  [
    'Type',
    (random) => {
      const type: unknown = random.pick<unknown>([
        undefined,
        null,
        String,
        Date,
        Map,
        Symbol,
        { Red: 'red' },
        class Part {},
        7,
        () => class {},
        proxied(class {}),
      ]);
      const asked = random.pick([() => type, (help: unknown) => (help ? type : String)]) as () => never;
      return transformer.Type(random.chance(10) ? proxied(asked) : asked);
    },
  ],
  [
    'Expose',
    (random) =>
      transformer.Expose(
        random.pick<unknown>([
          undefined,
          {},
          { name: 'other' },
          { name: SYMBOL },
          { name: 7 },
          { name: '__proto__' },
          { groups: ['a'] },
          { groups: 'a' },
          { since: 'x' },
          proxied({ name: 'p1' }),
          throwing('name'),
        ]) as never,
      ),
  ],
  [
    'Exclude',
    (random) => transformer.Exclude(random.pick([undefined, { toPlainOnly: true }, throwing('name')])),
  ],
  [
    'Transform',
    (random) =>
      transformer.Transform(
        random.pick<unknown>([
          ({ value }: { value: unknown }) => value,
          proxied(({ value }: { value: unknown }) => value),
          withoutText(() => 7),
          Number,
          () => {
            throw new Error('thrown by a transform');
          },
          function bound(this: object) {
            return Object.keys(this).length;
          }.bind({ a: 1 }),
        ]) as never,
      ),
  ],
];

const PROPERTIES: readonly (string | symbol)[] = [
  'p0',
  'p1',
  'p0',
  'p1',
  '7',
  '',
  'a b',
  'constructor',
  'toString',
  'hasOwnProperty',
  '__proto__',
  'then',
  'é"\\\u2028',
  SYMBOL,
];

/** The classes with static members and prototypes of any kind. If the name is a symbol, the library throws at each message. */
const CLASSES: readonly (() => new () => object)[] = [
  () => class Plain {},
  () => class Plain {},
  () => class Plain {},
  () => Object.defineProperty(class {}, 'name', { value: 5 }),
  () => Object.defineProperty(class {}, 'name', { get: () => 'got' }),
  () =>
    class {
      p0: unknown;
      static toString(): string {
        throw new Error('toString was called');
      }
    },
  () =>
    class {
      p0: unknown = 1;
      get p1() {
        return 1;
      }
    },
  () => function Old(this: object) {} as never,
  () => Object.assign(class Static {}, { prototypes: 1, options: { discriminator: 1 } }),
];

/** Generates a class with all kinds of declarations, mostly odd. */
export function generateOddClass(random: Random): OddClass {
  const type = random.pick(CLASSES)();
  const description: string[] = [];
  const count = 1 + random.below(3);
  for (let at = 0; at < count; at++) {
    const name = random.pick(PROPERTIES);
    const rules = Array.from({ length: 1 + random.below(3) }, () => random.pick(RULE_DECLARATIONS));
    // As a property, it would be exposed as the prototype.
    const others = random.chance(25) && name !== '__proto__' ? [random.pick(TRANSFORM_DECLARATIONS)] : [];
    for (const [what, make] of [...rules, ...others]) {
      // Nest's pipe cannot print the path of such a part.
      if (name === SYMBOL && what === 'ValidateNested') continue;
      description.push(`${String(name)}: ${what}`);
      try {
        make(random)(type.prototype as object, name as string);
      } catch (error) {
        // Not legal: the library's own decorator refuses it.
        description.push(`refused: ${String(error)}`);
      }
    }
  }
  return { type, description, makeInput: inputOf };
}

function inputOf(random: Random): unknown {
  STICKY.lastIndex = 0;
  if (random.chance(4)) return anyValue(random);
  const result: Record<string, unknown> = {};
  for (const name of ['p0', 'p1', '7', 'a b', 'then', 'toString', 'more', ''])
    if (random.chance(name.startsWith('p') ? 80 : 15))
      result[name] = random.chance(60)
        ? random.pick<unknown>(['abc', 3, null, ['abc'], true])
        : anyValue(random);
  return result;
}
