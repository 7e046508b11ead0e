import { Executor, readTransforms, selectKeys, selectTransforms, type TransformShape } from '@app/shapes';
import { type ClassTransformOptions, TransformationType } from 'class-transformer';

/** Makes of a plain value what class-transformer's `plainToInstance` makes of it. */
export type Convert = (value: unknown, type: unknown, arrayType?: unknown) => unknown;

type Fields = Record<string, unknown>;

/** Class-transformer's own, laid under every call's options; a transform may look at them. */
const DEFAULTS: ClassTransformOptions = {
  enableCircularCheck: false,
  enableImplicitConversion: false,
  excludeExtraneousValues: false,
  excludePrefixes: undefined,
  exposeDefaultValues: false,
  exposeUnsetFields: true,
  groups: undefined,
  ignoreDecorators: false,
  strategy: undefined,
  targetMaps: undefined,
  version: undefined,
} as ClassTransformOptions;

/** Keys that are remembered for a class; a client can send any number of others. */
const MOST_KEYS = 256;

/**
 * Compiles `plainToInstance` to closures, class by class as they are met, for every value but a whole `Map`, which
 * class-transformer goes through in another way than one inside.
 *
 * What is seldom on the wire (sets, maps, promises, buffers, lists of a type of their own, discriminators) is left to
 * class-transformer, value by value; an option that concerns every value leaves it all.
 */
export function compileTransform(given: ClassTransformOptions = {}): Convert {
  const options: ClassTransformOptions = { ...DEFAULTS, ...given };
  const delegate = (value: unknown, type: unknown, arrayType?: unknown, isMap?: boolean): unknown =>
    new Executor(TransformationType.PLAIN_TO_CLASS, options).transform(
      undefined,
      value,
      type,
      arrayType,
      isMap,
    );
  if (options.enableCircularCheck || options.ignoreDecorators || options.targetMaps) return delegate;

  const builders = new Map<unknown, (value: object) => unknown>();
  const builderOf = (type: Function | undefined): ((value: object) => unknown) => {
    const known = builders.get(type);
    if (known) return known;
    const made = compileBuilder(type, options, convert, delegate);
    builders.set(type, made);
    return made;
  };

  const convert: Convert = (value, type, arrayType) => {
    if (typeof value !== 'object' || value === null) return convertPrimitive(value, type, delegate);
    if (Array.isArray(value)) return convertList(value, type, arrayType);
    if (!isOrdinary(value, type)) return delegate(value, type, arrayType, value instanceof Map);
    const target = type || typeInside(value);
    if (target !== undefined && typeof target !== 'function') return delegate(value, type);
    return builderOf(target)(value);
  };
  const convertList = (list: readonly unknown[], type: unknown, arrayType: unknown): unknown => {
    if ((arrayType !== undefined && arrayType !== Array) || (type && typeof type !== 'function'))
      return delegate(list, type, arrayType);
    const made: unknown[] = [];
    list.forEach((element) => made.push(convert(element, type)));
    return made;
  };
  return convert;
}

function convertPrimitive(value: unknown, type: unknown, delegate: Convert): unknown {
  if (type === undefined || value === null || value === undefined) return value;
  if (type === String) return String(value);
  if (type === Number) return Number(value);
  if (type === Boolean) return Boolean(value);
  if (type === Date) return new Date(value as string);
  return type === Buffer ? delegate(value, type) : value;
}

/** Whether a value is gone through field by field: no date, buffer, set, map or promise, and not to become one. */
function isOrdinary(value: object, type: unknown): boolean {
  if (type === String || type === Number || type === Boolean || type === Date || type === Buffer)
    return false;
  if (value instanceof Date || value instanceof Set || value instanceof Map) return false;
  return !ArrayBuffer.isView(value) && typeof (value as Fields)['then'] !== 'function';
}

/** An untyped object stays what its `constructor` says it is, except a list that is none. */
function typeInside(value: object): unknown {
  if (value.constructor === Object || value.constructor === Array) return undefined;
  return value.constructor;
}

/** What is done with one key of a value. */
interface Key {
  readonly property: string;
  readonly hides: boolean;
  readonly typeOf: ((made: object, value: object) => unknown) | undefined;
  readonly arrayType: unknown;
  readonly transform: ((made: unknown, value: object) => unknown) | undefined;
}

function compileBuilder(
  type: Function | undefined,
  options: ClassTransformOptions,
  convert: Convert,
  delegate: Convert,
): (value: object) => unknown {
  const shape = readTransforms(type as Function);
  if (hasDiscriminator(shape)) return (value) => delegate(value, type);
  const keysOf = compileKeys(shape, type ? options : { ...options, excludeExtraneousValues: false });
  const keys = new Map<string, Key>();
  const keyOf = (name: string): Key => {
    const known = keys.get(name);
    if (known) return known;
    const made = compileKey(shape, type, name, options);
    if (keys.size < MOST_KEYS) keys.set(name, made);
    return made;
  };
  const targetType = (type ?? Object) as new () => object;
  return (value) => {
    const names = keysOf(value);
    const made = type === undefined ? {} : new targetType();
    for (const name of names) {
      if (name !== '__proto__' && name !== 'constructor')
        place(made as Fields, value as Fields, name, keyOf(name), targetType, options, convert, delegate);
    }
    return made;
  };
}

/** Takes one key from the value to the instance. */
function place(
  made: Fields,
  value: Fields,
  name: string,
  key: Key,
  expected: Function,
  options: ClassTransformOptions,
  convert: Convert,
  delegate: Convert,
): void {
  const held = value[name];
  const type = key.typeOf?.(made, value);
  const { property } = key;
  const prototype = made.constructor.prototype as object | undefined;
  if (prototype) {
    const hides = made.constructor === expected ? key.hides : isHidden(prototype, property);
    if (hides || made[property] instanceof Function) return;
  }
  let final: unknown;
  if (held === undefined && options.exposeDefaultValues) final = made[property];
  else {
    const isMap = held instanceof Map || key.arrayType === Map;
    final = isMap
      ? (delegate as (...all: unknown[]) => unknown)(held, type, mapArrayType(held, key), true)
      : convert(held, type, Array.isArray(held) ? key.arrayType : undefined);
    if (key.transform) final = key.transform(final, value);
  }
  if (final !== undefined || options.exposeUnsetFields) made[property] = final;
}

function mapArrayType(held: unknown, { arrayType }: Key): unknown {
  return Array.isArray(held) ? arrayType : undefined;
}

function compileKeys(
  shape: TransformShape,
  options: ClassTransformOptions,
): (value: object) => readonly string[] {
  const { takesOwnKeys, exposed, keeps } = selectKeys(shape, 'toClass', options);
  const keepsAll =
    shape.excluded.length === 0 && shape.exposed.length === 0 && !options.excludePrefixes?.length;
  if (keepsAll && takesOwnKeys) return Object.keys;
  if (!takesOwnKeys) return () => exposed;
  return (value) => [...new Set([...Object.keys(value).filter(keeps), ...exposed])];
}

function compileKey(
  shape: TransformShape,
  type: Function | undefined,
  name: string,
  options: ClassTransformOptions,
): Key {
  const property = shape.exposed.find((rule) => rule.name === name)?.property ?? name;
  const declared = shape.typeOf.get(property);
  return {
    property,
    hides: isHidden((type ?? Object).prototype as object, property),
    typeOf: compileType(shape, type, property, options),
    arrayType: declared?.reflectedType,
    transform: compileOwn(shape, property, options),
  };
}

function isHidden(prototype: object, property: string): boolean {
  const descriptor = Object.getOwnPropertyDescriptor(prototype, property);
  return descriptor !== undefined && !descriptor.set;
}

function compileType(
  shape: TransformShape,
  type: Function | undefined,
  property: string,
  options: ClassTransformOptions,
): Key['typeOf'] {
  const declared = shape.typeOf.get(property);
  if (declared) {
    const { typeFunction, reflectedType } = declared;
    if (!typeFunction) return () => reflectedType;
    return (newObject, object) => typeFunction({ newObject, object, property });
  }
  if (!options.enableImplicitConversion || !type) return undefined;
  const noted: unknown = Reflect.getMetadata('design:type', type.prototype as object, property);
  return noted ? () => noted : undefined;
}

function compileOwn(shape: TransformShape, key: string, options: ClassTransformOptions): Key['transform'] {
  const own = selectTransforms(shape, key, 'toClass', options);
  if (own.length === 0) return undefined;
  return (made, obj) =>
    own.reduce(
      (value, { transform }) =>
        transform({ value, key, obj, type: TransformationType.PLAIN_TO_CLASS, options }),
      made,
    );
}

function hasDiscriminator({ typeOf }: TransformShape): boolean {
  return [...typeOf.values()].some(({ discriminator }) => discriminator !== undefined);
}
