import { Executor, readTransforms, selectKeys, selectTransforms, type TransformShape } from '@app/shapes';
import { type ClassTransformOptions, TransformationType } from 'class-transformer';
import { designType, propertyFor } from '../plan/declared-property';
import { discriminatedList, selectType, selectElementType, type DiscriminatedType } from './discriminator';
import { isEveryObjectExtended } from './extended-prototype';
import type { Run } from './run';
import { strictly } from './strict-change';

/** Converts a value to a type, as class-transformer does. */
export type Convert = (
  value: unknown,
  type: unknown,
  arrayType: unknown,
  isMap: boolean,
  run: Run,
) => unknown;

/** Creates an instance of a class. */
export type Make = (value: object, run: Run) => unknown;

/** The same; `isOther` says that the value may inherit fields, if that is known. */
type MakePlain = (value: object, run: Run, isOther?: boolean) => unknown;

type Fields = Record<string, unknown>;

/** The number of keys that are cached per class; a client can send any others. */
const MOST_KEYS = 256;

/**
 * The conversion of class-transformer's `plainToInstance` with given options: by type for single values, lists and
 * unusual input, and by a compiled function for each class.
 *
 * Values that JSON does not have (sets, maps, promises, buffers, dates) are converted by class-transformer, value by
 * value; with options that affect every value, it converts everything.
 */
export class Conversion {
  private readonly makers = new Map<unknown, Make>();
  /** Those that are generated. */
  private readonly written = new Map<Function, Make>();
  /** Of the last class that was asked for. */
  private lastType: Function | undefined;
  private lastWritten: Make | undefined;
  private readonly mapMakers = new Map<unknown, Make>();
  private plainMaker: MakePlain | undefined;
  /** Whether options affect every value, so that the library converts everything. */
  readonly isLibrarys: boolean;

  /**
   * @param options that affect compilation; a call may have others
   * @param write generates the function of a class with decorators
   */
  constructor(
    readonly options: ClassTransformOptions,
    private readonly write: (type: Function) => Make | undefined,
  ) {
    const { enableCircularCheck, ignoreDecorators, targetMaps } = options;
    this.isLibrarys = Boolean(enableCircularCheck || ignoreDecorators || targetMaps);
  }

  /** `plainToInstance`. A generated function tests itself which objects it converts; a map of its own is not one. */
  convertRoot(value: unknown, type: unknown, run: Run): unknown {
    if (this.isLibrarys || isEveryObjectExtended())
      return callLibrary(value, type, undefined, undefined, run);
    const isOne = typeof value === 'object' && value !== null && !Array.isArray(value);
    const make = isOne && !(value instanceof Map) ? this.writtenOf(type) : undefined;
    return make ? make(value as object, run) : this.convert(value, type, undefined, false, run);
  }

  private writtenOf(type: unknown): Make | undefined {
    if (typeof type !== 'function') return undefined;
    if (type !== this.lastType) {
      this.makerOf(type);
      this.lastType = type;
      this.lastWritten = this.written.get(type);
    }
    return this.lastWritten;
  }

  readonly convert: Convert = (value, type, arrayType, isMap, run) => {
    if (typeof value !== 'object' || value === null) return isMap ? value : convertSingle(value, type);
    if (Array.isArray(value)) return this.convertList(value, type, arrayType, run);
    // The compiler notes this type of any object. Without a type, no field is extraneous.
    if (type === Object && !isMap && !this.options.excludeExtraneousValues && isPlain(value))
      return this.makePlain(value, run);
    if (!isOrdinary(value, isMap ? undefined : type)) return callLibrary(value, type, arrayType, isMap, run);
    const target = type || typeInside(value);
    if (target !== undefined && typeof target !== 'function')
      return callLibrary(value, type, arrayType, isMap, run);
    return isMap ? this.mapMakerOf(target)(value, run) : this.makerOf(target)(value, run);
  };

  /** The same for a value of a property without a type, which may be null. */
  readonly convertUntyped = (value: object | null, run: Run): unknown => {
    if (value === null) return value;
    if (Array.isArray(value)) return this.convertList(value, undefined, undefined, run);
    if (isPlain(value)) return this.makePlain(value, run);
    return this.convert(value, undefined, undefined, value instanceof Map, run);
  };

  private makePlain(value: object, run: Run): unknown {
    this.plainMaker ??= this.makerOf(undefined);
    return this.plainMaker(value, run, false);
  }

  private convertList(list: readonly unknown[], type: unknown, arrayType: unknown, run: Run): unknown {
    const isList = !arrayType || arrayType === Array;
    // Single values do not become objects or lists, whose types the compiler notes.
    if (isList && (!type || type === Object || type === Array) && isFlat(list)) return list.slice();
    const byField = type && typeof type !== 'function' ? discriminatedList(type) : undefined;
    const isOdd =
      (type && typeof type !== 'function' && !byField) || (!isList && typeof arrayType !== 'function');
    if (isOdd) return callLibrary(list, type, arrayType, false, run);
    const made = isList ? [] : emptyList(arrayType as ListType);
    list.forEach((element) => {
      const kind = byField ? selectElementType(byField, element, made) : type;
      const one = this.convert(element, kind, undefined, element instanceof Map, run);
      if (made instanceof Set) made.add(one);
      else made.push(one);
    });
    return made;
  }

  private mapMakerOf(type: Function | undefined): Make {
    const known = this.mapMakers.get(type);
    if (known) return known;
    const made = compileMapMaker(type, this);
    this.mapMakers.set(type, made);
    return made;
  }

  makerOf(type: Function | undefined): Make {
    const known = this.makers.get(type);
    if (known) return known;
    const written = type && this.write(type);
    if (written) this.written.set(type, written);
    const made = written ?? compileMaker(type, this);
    this.makers.set(type, made);
    return made;
  }
}

/** class-transformer's conversion of one value: the reference, used for rare values. */
function callLibrary(
  value: unknown,
  type: unknown,
  arrayType: unknown,
  isMap: boolean | undefined,
  { options }: Run,
): unknown {
  const executor = new Executor(TransformationType.PLAIN_TO_CLASS, options);
  return executor.transform(undefined, value, type, arrayType, isMap);
}

const { forEach } = Array.prototype;

/**
 * Whether a list has single values only, and no holes: its conversion is a copy. Its prototype is not asked for, which
 * takes longer than all the rest.
 */
function isFlat(list: readonly unknown[]): boolean {
  const type: unknown = list.constructor;
  if (type !== Array || list.forEach !== forEach) return false;
  for (let at = 0; at < list.length; at++) {
    const element = list[at];
    if (typeof element === 'object' ? element !== null : element === undefined) return false;
  }
  return true;
}

/** Whether an untyped object becomes a plain object. */
function isPlain(value: object): boolean {
  return (
    Object.getPrototypeOf(value) === Object.prototype &&
    typeof (value as Fields)['then'] !== 'function' &&
    value.constructor === Object
  );
}

type ListType = new () => unknown[] | Set<unknown>;

/** A list of the property's array class; a plain list, if elements cannot be added to that class. */
function emptyList(type: ListType): unknown[] | Set<unknown> {
  const list = new type();
  return list instanceof Set || 'push' in list ? list : [];
}

function convertSingle(value: unknown, type: unknown): unknown {
  if (type === undefined || value === null || value === undefined) return value;
  if (type === String) return String(value);
  if (type === Number) return Number(value);
  if (type === Boolean) return Boolean(value);
  if (type === Date) return new Date(value as string);
  return type === Buffer ? Buffer.from(value as string) : value;
}

/** Whether a value is converted field by field: not a date, buffer, set, map or promise, nor converted to one. */
export function isOrdinary(value: object, type: unknown): boolean {
  if (type === String || type === Number || type === Boolean || type === Date || type === Buffer)
    return false;
  if (Object.getPrototypeOf(value) === Object.prototype)
    return typeof (value as Fields)['then'] !== 'function';
  if (value instanceof Date || value instanceof Set || value instanceof Map) return false;
  return !ArrayBuffer.isView(value) && typeof (value as Fields)['then'] !== 'function';
}

/** An untyped object keeps the class of its `constructor`, except an object with the class of a list. */
function typeInside(value: object): unknown {
  const { constructor } = value;
  return constructor === Object || (constructor as unknown) === Array ? undefined : constructor;
}

/** The conversion of one key of a value. */
type Place = (made: Fields, value: Fields, run: Run) => void;

/** For values without decorators: a plain object, or a built-in or user's class. */
function compileMaker(type: Function | undefined, conversion: Conversion): Make {
  const keysOf = keysOfClass(type, conversion.options);
  if (keysOf === Object.keys && (type === undefined || type === Object)) return plainMaker(conversion);
  const place = placer(type, conversion);
  const made = (type ?? Object) as new () => Fields;
  return (value, run) => {
    const names = keysOf(value);
    const one = type === undefined ? {} : new made();
    for (const name of names) place(one, value as Fields, name, run);
    return one;
  };
}

/** Plain objects from plain objects, without decorators. */
function plainMaker({ options, convertUntyped }: Conversion): MakePlain {
  return (value, run, isOther = Object.getPrototypeOf(value) !== Object.prototype) => {
    const made: Fields = {};
    for (const name in value) {
      // Members of every object are skipped.
      if (name in Object.prototype || (isOther && !Object.hasOwn(value, name))) continue;
      const raw = (value as Fields)[name];
      const final = typeof raw === 'object' ? convertUntyped(raw, run) : raw;
      if (final !== undefined || options.exposeUnsetFields) made[name] = final;
    }
    return made;
  };
}

/** For a map: an entry per key of the value, with values of one type. */
function compileMapMaker(type: Function | undefined, { options, convert }: Conversion): Make {
  const shape = readTransforms((type ?? Object) as Function);
  return (value, run) => {
    const made = new Map<string, unknown>();
    for (const name of Object.keys(value)) {
      const property = type ? propertyFor(shape, name) : name;
      if (name === '__proto__' || name === 'constructor' || property in made) continue;
      const raw = (value as Fields)[name];
      const listType = type && Array.isArray(raw) ? shape.typeOf.get(property)?.reflectedType : undefined;
      let final: unknown;
      if (raw !== undefined || !options.exposeDefaultValues) {
        final = convert(raw, type, listType, raw instanceof Map, run);
        const transform = type && ownTransforms(shape, property, options);
        if (transform) final = transform(final, value, run);
      }
      if (final !== undefined || options.exposeUnsetFields) made.set(property, final);
    }
    return made;
  };
}

/** Returns the keys of a value to convert, in order. */
export function keysOfClass(
  type: Function | undefined,
  options: ClassTransformOptions,
): (value: object) => readonly string[] {
  const shape = readTransforms(type as Function);
  const given = type ? options : { ...options, excludeExtraneousValues: false };
  const { takesOwnKeys, exposed, keeps } = selectKeys(shape, 'toClass', given);
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

/** Converts single keys of values to properties of instances. */
export function placer(
  type: Function | undefined,
  conversion: Conversion,
): (made: object, value: Fields, name: string, run: Run) => void {
  const shape = readTransforms(type as Function);
  const places = new Map<string, Place>();
  return (made, value, name, run) => {
    if (name === '__proto__' || name === 'constructor') return;
    let place = places.get(name);
    if (!place) {
      place = compilePlace(shape, type, name, conversion);
      if (places.size < MOST_KEYS) places.set(name, place);
    }
    place(made as Fields, value, run);
  };
}

function compilePlace(
  shape: TransformShape,
  type: Function | undefined,
  name: string,
  { options, convert }: Conversion,
): Place {
  const expected = type ?? Object;
  const property = propertyFor(shape, name);
  const declared = shape.typeOf.get(property);
  const typeOf = typeReader(shape, type, property, options);
  const hides = isHidden(expected.prototype as object, property);
  const transform = ownTransforms(shape, property, options);
  return (made, value, run) => {
    const raw = value[name];
    const asked = typeOf?.(made, value);
    const kind = declared?.discriminator ? selectType(declared as DiscriminatedType, raw, asked) : asked;
    const prototype = made.constructor.prototype as object | undefined;
    if (prototype) {
      const isOut = made.constructor === expected ? hides : isHidden(prototype, property);
      if (isOut || made[property] instanceof Function) return;
    }
    let final: unknown;
    if (raw === undefined && options.exposeDefaultValues) final = made[property];
    else {
      const isMap = raw instanceof Map || declared?.reflectedType === Map;
      final = convert(raw, kind, Array.isArray(raw) ? declared?.reflectedType : undefined, isMap, run);
      if (transform) final = transform(final, value, run);
    }
    if (final === undefined && !options.exposeUnsetFields) return;
    if (made instanceof Map) made.set(property, final);
    else strictly.set(made, property, final);
  };
}

function isHidden(prototype: object, property: string): boolean {
  const descriptor = Object.getOwnPropertyDescriptor(prototype, property);
  return descriptor !== undefined && !descriptor.set;
}

function typeReader(
  shape: TransformShape,
  type: Function | undefined,
  property: string,
  options: ClassTransformOptions,
): ((made: object, value: object) => unknown) | undefined {
  const declared = shape.typeOf.get(property);
  if (declared) {
    const { rule, reflectedType } = declared;
    if (!rule.typeFunction) return () => reflectedType;
    return (newObject, object) => rule.typeFunction!({ newObject, object, property });
  }
  const noted = designType(type, property, options);
  return noted ? () => noted : undefined;
}

function ownTransforms(
  shape: TransformShape,
  key: string,
  given: ClassTransformOptions,
): ((made: unknown, value: object, run: Run) => unknown) | undefined {
  const own = selectTransforms(shape, key, 'toClass', given);
  if (own.length === 0) return undefined;
  return (made, obj, { options }) =>
    own.reduce(
      (value, { declared }) =>
        declared.transformFn({ value, key, obj, type: TransformationType.PLAIN_TO_CLASS, options }),
      made,
    );
}
