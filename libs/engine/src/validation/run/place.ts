import { prototypeOf } from '../../shapes/values';
import { propertyOf } from '../../shapes/transforms/declared-rules';
import { selectKeys, selectTransforms } from '../../shapes/transforms/selection';
import { readTransforms, type TransformShape } from '../../shapes/transforms/transform-shape';
import { type ClassTransformOptions, TransformationType } from 'class-transformer';
import { designType } from '../plan/declared-property';
import type { Run } from './run';
import { strictly } from './strict-change';

/** Converts a value to a type, like class-transformer. */
export type Convert = (
  value: unknown,
  type: unknown,
  arrayType: unknown,
  isMap: boolean,
  run: Run,
) => unknown;

/** Creates an instance of a class. */
export type Make = (value: object, run: Run) => unknown;

/** Creates a plain object; `isOther` says that the value may inherit fields, if that is known. */
export type MakePlain = (value: object, run: Run, isOther?: boolean) => unknown;

/** Converts field values with a given choice of options. */
export interface Converter {
  readonly options: ClassTransformOptions;
  readonly convert: Convert;
  convertUntyped(this: void, value: object | null, run: Run): unknown;
}

type Fields = Record<string, unknown>;

/** Compiles the conversion for values without decorators: a plain object, or an instance of a built-in or user class. */
export function compileMaker(type: Function | undefined, conversion: Converter): Make {
  const keysOf = keysOfClass(type, conversion.options);
  if (keysOf === Object.keys && (type === undefined || type === Object)) return plainMaker(conversion);
  const place = fieldSetter(type, conversion);
  const targetType = (type ?? Object) as new () => Fields;
  return (value, run) => {
    const names = keysOf(value);
    const instance = type === undefined ? {} : new targetType();
    for (const name of names) place(instance, value as Fields, name, run);
    return instance;
  };
}

/** Compiles the conversion from plain objects to plain objects, without decorators. */
function plainMaker({ options, convertUntyped }: Converter): MakePlain {
  return (value, run, isOther = prototypeOf(value) !== Object.prototype) => {
    const copy: Fields = {};
    for (const name in value) {
      // Members of every object are skipped.
      if (name in Object.prototype || (isOther && !Object.hasOwn(value, name))) continue;
      const raw = (value as Fields)[name];
      const final = typeof raw === 'object' ? convertUntyped(raw, run) : raw;
      if (final !== undefined || options.exposeUnsetFields) copy[name] = final;
    }
    return copy;
  };
}

/** Compiles the conversion to a map, with an entry per key and values with a common type. */
export function compileMapMaker(type: Function | undefined, { options, convert }: Converter): Make {
  const shape = readTransforms((type ?? Object) as Function);
  return (value, run) => {
    const map = new Map<string, unknown>();
    for (const name of Object.keys(value)) {
      const property = type ? propertyOf(type, name) : name;
      if (name === '__proto__' || name === 'constructor' || property in map) continue;
      const raw = (value as Fields)[name];
      const listType = type && Array.isArray(raw) ? shape.typeOf.get(property)?.reflectedType : undefined;
      let final: unknown;
      if (raw !== undefined || !options.exposeDefaultValues) {
        final = convert(raw, type, listType, raw instanceof Map, run);
        const transform = type && ownTransforms(shape, property, options);
        if (transform) final = transform(final, value, run);
      }
      if (final !== undefined || options.exposeUnsetFields) map.set(property, final);
    }
    return map;
  };
}

/** Returns the keys to convert, in order. */
export function keysOfClass(
  type: Function | undefined,
  options: ClassTransformOptions,
): (value: object) => readonly string[] {
  const shape = readTransforms(type as Function);
  const typeOptions = type ? options : { ...options, excludeExtraneousValues: false };
  const { takesOwnKeys, exposed, keeps } = selectKeys(shape, 'toClass', typeOptions);
  const keepsAll =
    shape.excluded.length === 0 && shape.exposed.length === 0 && !options.excludePrefixes?.length;
  if (keepsAll && takesOwnKeys) return Object.keys;
  if (!takesOwnKeys) return () => exposed;
  const keepsOthers = shape.excluded.length === 0 && !options.excludePrefixes?.length;
  const keepsAllOwn = keepsOthers && shape.exposed.every(({ property }) => keeps(property));
  return (value) => {
    const own = Object.keys(value);
    const keys = keepsAllOwn ? own : own.filter(keeps);
    for (const name of exposed) if (!keys.includes(name)) keys.push(name);
    return keys;
  };
}

/** The most keys per class with a cached type, because a client can send any keys. */
const MOST_KEYS = 256;

/** Creates a function that converts and sets the fields without decorators. */
export function fieldSetter(
  type: Function | undefined,
  { options, convert }: Converter,
): (target: object, value: object, name: string, run: Run) => void {
  const types = new Map<string, unknown>();
  const typeOf = (name: string): unknown => {
    if (types.has(name)) return types.get(name);
    const noted = designType(type, name, options) || undefined;
    if (types.size < MOST_KEYS) types.set(name, noted);
    return noted;
  };
  return (target, value, name, run) => {
    if (name === '__proto__' || name === 'constructor') return;
    const raw = (value as Fields)[name];
    if (isUnset(target, name)) return;
    const final =
      raw === undefined && options.exposeDefaultValues
        ? (target as Fields)[name]
        : convert(raw, typeOf(name), undefined, raw instanceof Map, run);
    if (final !== undefined || options.exposeUnsetFields) setField(target, name, final);
  };
}

/** Whether class-transformer leaves a property unset, because the class defines it without a setter or it is a function. */
export function isUnset(target: object, name: string): boolean {
  const prototype = target.constructor.prototype as object | undefined;
  if (!prototype) return false;
  const descriptor = Object.getOwnPropertyDescriptor(prototype, name);
  return (descriptor !== undefined && !descriptor.set) || (target as Fields)[name] instanceof Function;
}

export function setField(target: object, name: string, value: unknown): void {
  if (target instanceof Map) target.set(name, value);
  else strictly.set(target, name, value);
}

function ownTransforms(
  shape: TransformShape,
  key: string,
  selection: ClassTransformOptions,
): ((target: unknown, value: object, run: Run) => unknown) | undefined {
  const own = selectTransforms(shape, key, 'toClass', selection);
  if (own.length === 0) return undefined;
  return (target, obj, { options }) =>
    own.reduce(
      (value, { declared }) =>
        declared.transformFn({ value, key, obj, type: TransformationType.PLAIN_TO_CLASS, options }),
      target,
    );
}
