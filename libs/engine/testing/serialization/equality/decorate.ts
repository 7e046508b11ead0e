import { type ClassTransformOptions, Exclude, Expose, Transform, Type } from 'class-transformer';
import type { Chance } from './chance.ts';

/** A generated class. */
export type MadeClass = new () => object;

/** The classes, properties and options that the generated decorators refer to. */
export interface DecoratorContext {
  readonly classes: readonly MadeClass[];
  /** The properties that they declare, and that their instances have. */
  readonly properties: readonly string[];
  /** The options of the decorators, which may be changed later. */
  readonly usedOptions: WhenOptions[];
}

const ODD_PROPERTIES = [
  '10',
  '2',
  'x-y',
  'constructor',
  'toJSON',
  'then',
  '',
  'é"\\',
  'toString',
  'hasOwnProperty',
];

type Decorator = (target: object, property: string) => void;

/**
 * Decorates a class in a typical way.
 *
 * @returns whether a transform changes its own value; always `false`
 */
export function decorateTypically(
  type: MadeClass,
  chance: Chance,
  { classes, properties }: DecoratorContext,
): boolean {
  if (chance.is(0.8)) Exclude()(type);
  for (const property of properties) {
    if (chance.is(0.7)) Expose(chance.is(0.2) ? { groups: ['admin'] } : {})(type.prototype, property);
    if (chance.is(0.1))
      Transform(chance.one(transforms.slice(0, 3)), { toPlainOnly: true })(type.prototype, property);
    if (property === 'at' && chance.is(0.3)) Type(() => Date)(type.prototype, property);
    if (property.startsWith('part') && chance.is(0.8)) typed(chance.one(classes))(type.prototype, property);
  }
  return false;
}

/**
 * Decorates a class in any possible way.
 *
 * @returns whether a transform changes the value that it reads
 */
export function decorate(
  type: MadeClass,
  chance: Chance,
  { classes, properties, usedOptions }: DecoratorContext,
): boolean {
  if (chance.is(0.35)) Exclude()(type);
  if (chance.is(0.15)) Expose()(type);
  const names = chance.is(0.15) ? [...properties, chance.one(ODD_PROPERTIES)] : properties;
  let changesValues = false;
  const transform = (): Decorator => {
    const chosen = transformOf(chance);
    changesValues ||= chosen === changing;
    return Transform(chosen, whenOptions(chance, usedOptions));
  };
  for (const property of names) {
    for (const decorator of decoratorsFor(property, chance, { classes, transform, usedOptions }))
      decorator(type.prototype, property);
  }
  return changesValues;
}

interface Makers {
  readonly classes: readonly MadeClass[];
  readonly transform: () => Decorator;
  readonly usedOptions: WhenOptions[];
}

function decoratorsFor(
  property: string,
  chance: Chance,
  { classes, transform, usedOptions }: Makers,
): Decorator[] {
  const decorators: Decorator[] = [];
  if (chance.is(0.5)) decorators.push(Expose(exposeOptions(chance, usedOptions)));
  if (chance.is(0.15)) decorators.push(Exclude(sideOptions(chance)));
  if (chance.is(0.2)) decorators.push(transform());
  if (chance.is(0.05)) decorators.push(transform());
  const isPart = property === 'part' || property === 'parts';
  if (chance.is(isPart ? 0.6 : 0.06)) decorators.push(typeDecorator(chance, classes));
  return decorators;
}

function typed(type: MadeClass): PropertyDecorator {
  return Type(() => type);
}

function typeDecorator(chance: Chance, classes: readonly MadeClass[]): Decorator {
  const type = typeOf(chance, classes);
  const decorator = declaredAs(type, chance, classes);
  if (chance.is(0.85)) return decorator;
  const reflected = chance.is(0.2) ? chance.one(noted) : typeOf(chance, classes);
  return (target, property) => {
    Reflect.defineMetadata('design:type', reflected, target, property);
    decorator(target, property);
  };
}

/** The metadata types that are not a class. swc and babel write the object of an imported enum. */
const noted = [undefined, { Red: 'red', Blue: 'blue' }, { 0: 'Off', Off: 0 }, Symbol, BigInt, Function];

function declaredAs(type: Function, chance: Chance, classes: readonly MadeClass[]): Decorator {
  if (chance.is(0.05)) return Type((help) => (help ? type : String));
  if (chance.is(0.02)) return Type();
  if (chance.is(0.05)) {
    const subTypes = classes.map((value, at) => ({ value, name: `kind${at}` }));
    return Type(() => type, { discriminator: { property: 'kind', subTypes } });
  }
  return Type(() => type);
}

function typeOf(chance: Chance, classes: readonly MadeClass[]): Function {
  return chance.is(0.75)
    ? chance.one(classes)
    : chance.one([String, Number, Boolean, Date, Object, Buffer, Array, Set, Map]);
}

function exposeOptions(chance: Chance, usedOptions: WhenOptions[]) {
  const name = chance.is(0.15)
    ? { name: chance.one(['renamed', 'id', 'a', '7', 'é"\\', 'toJSON', '__proto__', 'constructor']) }
    : {};
  return Object.assign(whenOptions(chance, usedOptions), name);
}

/** A decorator's conditions. */
export interface WhenOptions {
  groups?: string[];
  since?: number;
  until?: number;
}

function whenOptions(chance: Chance, usedOptions: WhenOptions[]): WhenOptions {
  const options = chosenOptions(chance);
  if (Object.keys(options).length > 0) usedOptions.push(options);
  return options;
}

function chosenOptions(chance: Chance): WhenOptions {
  const groups = chance.is(0.2) ? { groups: chance.some(['admin', 'user'], 0.6) } : {};
  const since = chance.is(0.1) ? { since: chance.below(3) } : {};
  const until = chance.is(0.1) ? { until: chance.below(4) } : {};
  return { ...groups, ...since, ...until, ...sideOptions(chance) };
}

function sideOptions(chance: Chance) {
  const toPlainOnly = chance.is(0.15) ? { toPlainOnly: chance.is(0.8) } : {};
  const toClassOnly = chance.is(0.1) ? { toClassOnly: chance.is(0.8) } : {};
  return { ...toPlainOnly, ...toClassOnly };
}

interface Given {
  readonly value: unknown;
  readonly key: string;
  readonly obj: Record<string, unknown>;
  readonly options: ClassTransformOptions & { tenant?: unknown };
}

function changing({ value, obj, key }: Given): unknown {
  obj[key] = 'changed';
  return value;
}

const transforms: readonly ((parameters: Given) => unknown)[] = [
  ({ value }) => value,
  ({ value }) => (typeof value === 'string' ? `${value.slice(0, 2)}***` : value),
  ({ value }) => typeof value,
  ({ value, key }) => ({ [key]: value }),
  ({ obj }) => Object.keys(obj).length,
  ({ value }) =>
    value instanceof Map ? [...value] : Array.isArray(value) ? new Map(value.entries()) : value,
  changing,
  ({ options }) => Object.entries(options).length,
  () => undefined,
  () => new Date(86_400_000),
  () => () => 'a function',
  ({ options }) => options.tenant,
  (parameters) => `${String(parameters.value)} of ${parameters.options.groups?.join('+')}`,
  (parameters) => parameters.value,
  function called(this: unknown, { value }) {
    return typeof this === 'object' ? value : 'without this';
  },
  ({ options, value }) => {
    options.groups = ['admin'];
    return value;
  },
  ({ options, value }) => {
    if (Object.isExtensible(options.groups ?? Object.freeze([]))) options.groups?.push('user');
    return value;
  },
  (parameters) => {
    Object.assign(parameters.options, { tenant: 'written', version: parameters.options.version });
    return parameters.value;
  },
  ({ value }) => {
    if (value === null) throw new RangeError('a transform threw');
    return value;
  },
];

function transformOf(chance: Chance): (parameters: Given) => unknown {
  return chance.is(0.7) ? transforms[chance.below(3)] : chance.one(transforms);
}
