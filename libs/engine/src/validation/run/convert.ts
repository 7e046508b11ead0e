import { Executor } from '../../shapes/transforms/imported-library';
import { isFunction, isObject, isRecord, keptIn } from '../../shapes/values';
import { type ClassTransformOptions, TransformationType } from 'class-transformer';
import { discriminatedList, selectElementType } from './discriminator';
import { isEveryObjectExtended } from './extended-prototype';
import {
  compileMaker,
  compileMapMaker,
  type Convert,
  type Converter,
  type Make,
  type MakePlain,
} from './place';
import type { Run } from './run';
import { convertSingle, isFlat, isOrdinary, isPlain, typeInside } from './values';

/** The class-transformer options that affect every value. */
export const LIBRARY_OPTIONS = ['enableCircularCheck', 'ignoreDecorators', 'targetMaps'] as const;

/**
 * Converts like class-transformer's `plainToInstance` with given options: by type for single values, lists and unusual input,
 * and by a compiled function for each class.
 *
 * class-transformer converts values that JSON does not have (sets, maps, promises, buffers, dates), value by value. If options
 * affect every value, it converts everything.
 */
export class Conversion implements Converter {
  readonly #makers = new Map<unknown, Make>();
  /** The generated functions. */
  readonly #written = new Map<Function, Make>();
  /** The last requested class. */
  #lastType: Function | undefined;
  #lastWritten: Make | undefined;
  readonly #mapMakers = new Map<unknown, Make>();
  #plainMaker: MakePlain | undefined;
  readonly #write: (type: Function) => Make | undefined;
  /** Whether options affect every value, so that the library converts everything. */
  readonly isLibrarys: boolean;

  /**
   * @param options the options that affect compilation; a call may have different options
   * @param write generates the function for a class with decorators
   */
  constructor(
    readonly options: ClassTransformOptions,
    write: (type: Function) => Make | undefined,
  ) {
    this.#write = write;
    this.isLibrarys = LIBRARY_OPTIONS.some((name) => options[name]);
  }

  /**
   * Converts like `plainToInstance`. A generated function itself tests which objects it converts; maps are excluded beforehand.
   */
  convertRoot(value: unknown, type: unknown, run: Run): unknown {
    if (this.isLibrarys || isEveryObjectExtended())
      return callLibrary(value, type, undefined, undefined, run);
    const make = isRecord(value) && !(value instanceof Map) ? this.#writtenOf(type) : undefined;
    return make ? make(value as object, run) : this.convert(value, type, undefined, false, run);
  }

  #writtenOf(type: unknown): Make | undefined {
    if (!isFunction(type)) return undefined;
    if (type !== this.#lastType) {
      this.makerOf(type);
      this.#lastType = type;
      this.#lastWritten = this.#written.get(type);
    }
    return this.#lastWritten;
  }

  readonly convert: Convert = (value, type, arrayType, isMap, run) => {
    if (!isObject(value)) return isMap ? value : convertSingle(value, type);
    if (Array.isArray(value)) return this.#convertList(value, type, arrayType, run);
    // The compiler notes this type of any object. Without a type, no field is extraneous.
    if (type === Object && !isMap && !this.options.excludeExtraneousValues && isPlain(value))
      return this.#makePlain(value, run);
    if (!isOrdinary(value, isMap ? undefined : type)) return callLibrary(value, type, arrayType, isMap, run);
    const target = type || typeInside(value);
    if (target !== undefined && !isFunction(target)) return callLibrary(value, type, arrayType, isMap, run);
    return isMap ? this.#mapMakerOf(target)(value, run) : this.makerOf(target)(value, run);
  };

  /** Converts the value in a property without a type, which may be null. */
  readonly convertUntyped = (value: object | null, run: Run): unknown => {
    if (value === null) return value;
    if (Array.isArray(value)) return this.#convertList(value, undefined, undefined, run);
    if (isPlain(value)) return this.#makePlain(value, run);
    return this.convert(value, undefined, undefined, value instanceof Map, run);
  };

  #makePlain(value: object, run: Run): unknown {
    this.#plainMaker ??= this.makerOf(undefined);
    return this.#plainMaker(value, run, false);
  }

  #convertList(list: readonly unknown[], type: unknown, arrayType: unknown, run: Run): unknown {
    const isList = !arrayType || arrayType === Array;
    // Single values do not become objects or lists, whose types the compiler notes.
    if (isList && (!type || type === Object || type === Array) && isFlat(list)) return list.slice();
    const byField = type && !isFunction(type) ? discriminatedList(type) : undefined;
    const isOdd = (type && !isFunction(type) && !byField) || (!isList && !isFunction(arrayType));
    if (isOdd) return callLibrary(list, type, arrayType, false, run);
    const result = isList ? [] : emptyList(arrayType as ListType);
    list.forEach((element) => {
      const kind = byField ? selectElementType(byField, element, result) : type;
      const converted = this.convert(element, kind, undefined, element instanceof Map, run);
      if (result instanceof Set) result.add(converted);
      else result.push(converted);
    });
    return result;
  }

  #mapMakerOf(type: Function | undefined): Make {
    return keptIn(this.#mapMakers, type, () => compileMapMaker(type, this));
  }

  makerOf(type: Function | undefined): Make {
    const existing = this.#makers.get(type);
    if (existing) return existing;
    const written = type && this.#write(type);
    if (written) this.#written.set(type, written);
    const maker = written ?? compileMaker(type, this);
    this.#makers.set(type, maker);
    return maker;
  }
}

/** Creates instances for a class with unreadable declarations, through class-transformer. */
export function libraryMaker(type: Function): Make {
  return (value, run) => callLibrary(value, type, undefined, value instanceof Map, run);
}

/** Calls class-transformer's conversion for a single value. It is the reference, used for rare values. */
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

type ListType = new () => unknown[] | Set<unknown>;

/** Creates a list with the property's array class, or a plain list if that class does not accept elements. */
function emptyList(type: ListType): unknown[] | Set<unknown> {
  const list = new type();
  return list instanceof Set || 'push' in list ? list : [];
}
