import 'reflect-metadata';
import { runInThisContext } from 'node:vm';
import * as transformer from 'class-transformer';
import * as validator from 'class-validator';
import { ruleOptions } from './generated-options';
import { type MakeValue, RULES, SHAPES, WRITTEN } from './generated-rules';
import { PROMISE_RULES, USER_RULES } from './generated-user-rules';
import { anyValue, fieldsOf, RESERVED_NAMES } from './generated-values';
import type { Random } from './random';

/** A generated class, its probably valid values, and a function that removes it from the libraries' storage. */
export interface GeneratedClass {
  readonly type: new () => object;
  readonly makeValue: MakeValue;
  readonly description: readonly string[];
}

/** The library parts that a generated class may use. */
export interface Ingredients {
  /** Whether the class uses validators and transforms written by the user, some of which are asynchronous. */
  readonly userCode: boolean;
  /** Whether the class uses `Expose`, `Exclude`, getters, methods, and fields with a default. */
  readonly shapes: boolean;
  /**
   * Whether the class uses rules that return a promise but are not declared as asynchronous. `validateSync` leaves their
   * rejections unhandled.
   */
  readonly promises: boolean;
  /** Whether the class uses only parts that can be written as code, for tests that cover code alone. */
  readonly plain: boolean;
  /** Whether the fields of the class have neither an initial value nor a type, except nested classes. */
  readonly bare?: boolean;
  /** Derives a class from the given class, or returns it. */
  readonly derive?: ((random: Random, type: new () => object) => new () => object) | undefined;
}

const CONVERTED = [Number, String, Boolean, Date];

/** The initial value of a field. It changes at each input. */
export const AMBIENT: { value: unknown } = { value: undefined };

/** The classes with fields that the engine itself initializes, because our compiler sets fields in a constructor. */
const fieldsOfClass = runInThisContext(`(ambient) => [
  () => class { p0 = ambient.value; describe() {} },
  () => class { p0; p1 = 1; "first-name"; describe() { return this.p0 === 1; } },
]`) as (ambient: object) => readonly (() => new () => object)[];

/** Classes with a property that sets a second property. */
const linkedClasses = runInThisContext(`[
  () => class {
    constructor() {
      const set = (value) => { this.p0 = value; };
      Object.defineProperty(this, 'p1', { set, get: () => 1, enumerable: true, configurable: true });
    }
  },
  () => class { constructor() { this.p3 = 5; } set p1(value) { this.p0 = value; } get p1() { return 1; } },
]`) as readonly (() => new () => object)[];

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
  ...fieldsOfClass(AMBIENT),
  ...linkedClasses.map((make) => (shapes: boolean) => (shapes ? make() : class {})),
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
          #raw: unknown = 1;
          get p2() {
            return this.#raw;
          }
          set p2(value: unknown) {
            this.#raw = value;
          }
        }
      : class {},
];

/** Generates a class with a few properties and rules, and possibly an ancestor and parts of other classes. */
export function generateClass(random: Random, ingredients: Ingredients, depth = 0): GeneratedClass {
  const description: string[] = [];
  const ancestor = random.chance(20) && depth < 2 ? generateClass(random, ingredients, 2) : undefined;
  const base =
    ancestor?.type ??
    (ingredients.bare ? class {} : random.pick(BASES)(ingredients.shapes && random.chance(30)));
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
      ...(ancestor?.description.map((text) => `< ${text}`) ?? []),
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
  if (!ingredients.bare && random.chance(8)) declareType(ingredients, random, target, name, description);
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
  if (random.chance(40)) transformer.Type(() => type)(target, name);
  else if (ingredients.plain || random.chance(50)) Reflect.defineMetadata('design:type', type, target, name);
  else {
    const noted = random.pick(NOTED);
    description.push(`${name}: noted as ${typeof noted === 'function' ? noted.name : JSON.stringify(noted)}`);
    Reflect.defineMetadata('design:type', noted, target, name);
    if (random.chance(30)) transformer.Type(() => type)(target, name);
  }
}

/**
 * Further types that compilers write: `void 0` (tsc, for `null` and similar types), the object of an imported enum (swc and
 * babel), and classes with values that JSON lacks.
 */
const NOTED: readonly (object | undefined)[] = [
  undefined,
  { Red: 'abc', Blue: 'b' },
  { 0: 'Off', 1: 'On', Off: 0, On: 1 },
  { options: { discriminator: { property: 'is' } } },
  Function,
  BigInt,
  Symbol,
  Promise,
  Uint8Array,
  RegExp,
];

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
  const alternative = random.chance(12) ? generateClass(random, ingredients, depth + 1) : undefined;
  if (alternative) declareDiscriminated(random, target, name, part, alternative);
  else if (ingredients.plain || random.chance(90)) transformer.Type(() => part.type)(target, name);
  if (ingredients.plain || random.chance(95)) validator.ValidateNested(options)(target, name);
  if (isList && random.chance(60)) validator.IsArray(ruleOptions(random, ingredients))(target, name);
  if (random.chance(20)) validator.IsOptional()(target, name);
  description.push(
    `${name}: ValidateNested${alternative ? ' by a field' : ''} ${JSON.stringify(options)} [${part.description.join('; ')}]`,
  );
  const kinds = alternative ? [part, part, alternative, alternative] : [part];
  const makePart: MakeValue = (own) => {
    if (own.chance(8)) return anyValue(own);
    const value = own.pick(kinds).makeValue(own) as Record<string, unknown>;
    if (alternative && own.chance(80)) value['is'] = own.pick(['part', 'other', 'none', 1]);
    return alternative && own.chance(3) ? Object.freeze(value) : value;
  };
  return (own) =>
    isList && own.chance(90) ? Array.from({ length: own.below(4) }, () => makePart(own)) : makePart(own);
}

/** Declares a part with a class that its field `is` selects. */
function declareDiscriminated(
  random: Random,
  target: object,
  name: string,
  part: GeneratedClass,
  alternative: GeneratedClass,
): void {
  const subTypes = [
    { value: alternative.type, name: 'other' },
    { value: part.type, name: 'part' },
  ];
  const keepDiscriminatorProperty = random.chance(30);
  const discriminator = { property: 'is', subTypes };
  transformer.Type(() => part.type, { discriminator, keepDiscriminatorProperty })(target, name);
}

function makeInput(
  random: Random,
  names: readonly string[],
  values: ReadonlyMap<string, MakeValue>,
  ancestor: GeneratedClass | undefined,
): object {
  const inherited = ancestor ? (ancestor.makeValue(random) as Record<string, unknown>) : {};
  const present = [...new Set([...names, ...Object.keys(inherited)])].filter(() => random.chance(93));
  const reserved = random.chance(20) ? [random.pick(RESERVED_NAMES)] : [];
  const order = random.chance(70) ? [...present, ...reserved] : random.shuffled([...present, ...reserved]);
  return fieldsOf([...new Set(order)], (name) => {
    if (random.chance(8)) return anyValue(random);
    const own = values.get(name)?.(random) ?? (Object.hasOwn(inherited, name) ? inherited[name] : undefined);
    return own === undefined && random.chance(70) ? anyValue(random) : own;
  });
}
