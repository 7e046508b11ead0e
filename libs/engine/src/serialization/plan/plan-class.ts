import { isFunction, prototypeOf } from '../../shapes/values';
import type { FullOptions } from '../../shapes/transforms/full-options';
import { nameOfClass } from '../../shapes/named';
import { selectKeys, selectTransforms, wireName } from '../../shapes/transforms/selection';
import type { Discriminator } from '../../shapes/transforms/storage';
import { type TransformUse, useOfTransform } from '../../shapes/transforms/transform-arguments';
import {
  readTransforms,
  type TransformRule,
  type TransformShape,
  type TypeRule,
} from '../../shapes/transforms/transform-shape';
import { ignoresArguments } from './ignores-arguments';

/** The declared type of a field. */
export type Part =
  | { readonly kind: 'any' }
  | { readonly kind: 'builtIn'; readonly type: BuiltIn }
  | { readonly kind: 'reference'; readonly type: Function }
  | { readonly kind: 'class'; readonly type: Function }
  | { readonly kind: 'selected'; readonly discriminator: Discriminator };

/** The types that class-transformer converts as a whole, and not field by field. */
export type BuiltIn = typeof String | typeof Number | typeof Boolean | typeof Date;

/** A `@Transform` of a field. */
export interface FieldTransform extends TransformUse {
  readonly call: (parameters: { readonly value: unknown; readonly [name: string]: unknown }) => unknown;
  /** The `this` that class-transformer's call uses. */
  readonly declared: object;
}

/** A key of a serialized value. */
export interface Field {
  readonly property: string;
  /** The name in the output. */
  readonly name: string;
  readonly transforms: readonly FieldTransform[];
  /** Whether it is a class getter or method: read as often and in the order as by class-transformer. */
  readonly isMember: boolean;
  readonly part: Part;
}

/** The fields for a class, whatever keys a value has. */
export interface OpenFields {
  /** Every declared key and every key that values had; `undefined` for keys that are not written. */
  readonly byKey: ReadonlyMap<string, Field | undefined>;
  /** The keys that are written even if a value lacks them. They follow the value's own keys. */
  readonly exposed: readonly string[];
  /**
   * Returns the field for any other key in a value; `undefined` if it is not written.
   *
   * @returns the field, or the reason why planning it is impossible
   */
  other(key: string): Field | undefined | string;
}

/** The plan of a class for given options. */
export interface ClassPlan {
  readonly type: Function;
  /** Whether the value's own keys are written too, or only the declared keys. */
  readonly takesOwnKeys: boolean;
  /**
   * Returns the fields for a value with these keys, in the order of the text.
   *
   * @returns the fields, or the reason why they cannot be planned
   */
  fieldsOf(ownKeys: readonly string[]): readonly Field[] | string;
  /**
   * Returns the fields for a value with any keys.
   *
   * @param met keys that values have; further keys are looked up when they occur
   * @returns the fields, or the reason why they cannot be planned
   */
  openFieldsOf(met: readonly string[]): OpenFields | string;
  /** Whether the options of the decorators are unchanged. */
  readonly isUnchanged: (() => boolean) | undefined;
}

/**
 * Plans the serialization of a class's instances.
 *
 * @returns the plan, or the reason why class-transformer has to write such values
 */
export function planClass(type: Function, options: FullOptions, isHardened: boolean): ClassPlan | string {
  if (isNative(type) || hasNativeAncestor(type))
    return `${nameOfClass(type)} is a built-in class, or extends one`;
  const shape = declaredOf(type, options);
  const odd = oddity(shape);
  if (odd !== undefined) return odd;
  const strategy = isHardened ? shape.inheritedStrategy : shape.strategy;
  const selection = selectKeys(shape, 'toPlain', options, strategy);
  const fieldOf = remembered((key: string) => planField(shape, key, options));
  return {
    type,
    isUnchanged: shape.isUnchanged,
    takesOwnKeys: selection.takesOwnKeys,
    fieldsOf(ownKeys) {
      const keys = new Set([...ownKeys.filter((key) => selection.keeps(key)), ...selection.exposed]);
      const fields = [...keys].filter(isWritten).map(fieldOf);
      return reasonNotToWrite(fields) ?? fields;
    },
    openFieldsOf(met) {
      const { exposed, keeps } = selection;
      const all = [...new Set([...declaredKeys(shape), ...met, ...exposed])].filter(isWritten);
      const byKey = new Map(all.map((key) => [key, keeps(key) ? fieldOf(key) : undefined]));
      const knownFields = [...byKey.values()].filter((field) => field !== undefined);
      const names = new Set(knownFields.map(({ name }) => name));
      if (knownFields.some(({ property, name }) => INDEX.test(property) || INDEX.test(name)))
        return 'an object would reorder its fields';
      return (
        reasonNotToWrite(knownFields) ?? {
          byKey,
          exposed: exposed.filter(isWritten),
          other: remembered((key) => {
            if (!isWritten(key) || !keeps(key)) return undefined;
            const field = fieldOf(key);
            return names.has(key) ? 'an object would merge its fields' : (reasonNotToWrite([field]) ?? field);
          }),
        }
      );
    },
  };
}

function declaredKeys({ exposed, excluded, typeOf, transformsOf }: TransformShape): string[] {
  const rules = [...exposed, ...excluded].map(({ property }) => property);
  return [...rules, ...typeOf.keys(), ...transformsOf.keys()];
}

function isWritten(key: string): boolean {
  return !NEVER_WRITTEN.has(key);
}

/** The keys that come first in every object, whatever name they are written under. */
const INDEX = /^\d+$/;

/**
 * Reads the declarations. With `ignoreDecorators`, types and transforms still apply, but names, groups and versions have no
 * effect.
 */
function declaredOf(type: Function, options: FullOptions): TransformShape {
  const shape = readTransforms(type);
  if (!options.ignoreDecorators) return shape;
  const exposed = options.excludeExtraneousValues ? [...shape.exposed, ...shape.excluded] : [];
  return { ...shape, exposed, excluded: [], exposeOf: new Map() };
}

/** The keys that class-transformer skips. */
const NEVER_WRITTEN: ReadonlySet<string> = new Set(['__proto__', 'constructor']);

/** The field names that affect the object that has them. */
const LOADED_NAMES: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'toJSON', 'then']);

function reasonNotToWrite(fields: readonly Field[]): string | undefined {
  const names = fields.map(({ name }) => name);
  const loaded = [...names, ...fields.map(({ property }) => property)].find((name) => LOADED_NAMES.has(name));
  if (loaded !== undefined) return `a field is called ${loaded}`;
  const inObject = Object.keys(Object.fromEntries(names.map((name) => [name, 0])));
  return inObject.join('\n') === names.join('\n') ? undefined : 'an object would reorder or merge its fields';
}

function planField(shape: TransformShape, property: string, options: FullOptions): Field {
  const type = shape.typeOf.get(property);
  return Object.freeze({
    property,
    name: wireName(shape, property),
    transforms: selectTransforms(shape, property, 'toPlain', options).map(fieldTransform),
    isMember: isMember(shape.target, property),
    part: type === undefined ? ANY : partOf(type),
  });
}

function fieldTransform({ transform, declared }: TransformRule): FieldTransform {
  return Object.freeze({ call: transform, declared, ...useOfTransform(transform) });
}

const ANY: Part = Object.freeze({ kind: 'any' });

function partOf({ rule, reflectedType, discriminator }: TypeRule): Part {
  const type: unknown = rule.typeFunction ? rule.typeFunction() : reflectedType;
  if (discriminator) return { kind: 'selected', discriminator };
  if (!type) return ANY;
  if (isBuiltIn(type)) return { kind: 'builtIn', type };
  // The object of an enum may be declared, too: class-transformer writes what is below it, or throws.
  return { kind: isNative(type) || type === Buffer ? 'reference' : 'class', type: type as Function };
}

/** Whether class-transformer converts a type as a whole. */
export function isBuiltIn(type: unknown): type is BuiltIn {
  return type === String || type === Number || type === Boolean || type === Date;
}

/** Returns the reason why a class falls back to class-transformer. */
function oddity(shape: TransformShape): string | undefined {
  const { target, typeOf, exposed, excluded, transformsOf } = shape;
  if (shape.leftToLibrary) return shape.leftToLibrary;
  for (const [property, rule] of typeOf) {
    const where = `${nameOfClass(target)}.${property}`;
    if (rule.typeFunction && !ignoresArguments(rule.typeFunction))
      return `the type of ${where} depends on the value`;
    if (rule.discriminator && (transformsOf.has(property) || isMember(target, property)))
      return `${where} has a discriminator, ${rule.discriminator.property}, and a transform or a member of its name`;
    if (rule.reflectedType === Map) return `${where} is a Map with a type`;
  }
  const names: unknown[] = [...exposed.map(({ property }) => property), ...transformsOf.keys()];
  names.push(...excluded.map(({ property }) => property), ...exposed.map(({ name }) => name ?? ''));
  return names.every((name) => typeof name === 'string')
    ? undefined
    : `${nameOfClass(target)} has names that are not strings`;
}

function isMember(type: Function, property: string): boolean {
  const descriptors = prototypesOf(type).map((prototype) =>
    Object.getOwnPropertyDescriptor(prototype, property),
  );
  return descriptors.some((descriptor) => descriptor !== undefined);
}

function hasNativeAncestor(type: Function): boolean {
  const line = prototypesOf(type);
  const ends = line.length > 0 && prototypeOf(line.at(-1)) === Object.prototype;
  return (
    !ends || line.some((prototype) => !isFunction(prototype.constructor) || isNative(prototype.constructor))
  );
}

/** Returns the prototypes of an instance up to `Object.prototype`. */
function prototypesOf(type: Function): object[] {
  const line: object[] = [];
  let current: object | null = type.prototype;
  for (; current && current !== Object.prototype; current = prototypeOf(current)) line.push(current);
  return current === null ? [] : line;
}

/** Whether a class is built-in or bound, so that its source is unreadable. */
export function isNative(type: unknown): boolean {
  return isFunction(type) && Function.prototype.toString.call(type).endsWith('{ [native code] }');
}

/** The most names that are cached per class, and their maximum length, because a value may have any names. */
const MOST_NAMES = 256;
const LONGEST_NAME = 64;

function remembered<Value>(make: (key: string) => Value): (key: string) => Value {
  const cache = new Map<string, Value>();
  return (key) => {
    const cached = cache.get(key);
    if (cached !== undefined || cache.has(key)) return cached as Value;
    const value = make(key);
    if (cache.size < MOST_NAMES && key.length <= LONGEST_NAME) cache.set(key, value);
    return value;
  };
}
