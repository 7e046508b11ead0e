import { hasTransforms } from '../../shapes/transforms/declared-rules';
import { isFunction, isObject } from '../../shapes/values';
import type { ClassTransformOptions } from 'class-transformer';
import { type ResponseWriter, responseWriter } from './response-writer';
import { compileSerializer } from './compile-serializer';
import type { WireClass } from '../plan/wire-class';
import { assertClosedClass } from '../findings/wire-classes';

/** Converts a handler's return value to the JSON that is sent. */
export type Writer = (returned: unknown) => string;

/** The options for handling undeclared parts. */
export interface WriterOptions {
  /** Makes a class inherit the class-level `@Exclude()` of its superclass. */
  readonly isHardened?: boolean;
  /** Rejects an object in a property without a class, unless its own class is closed. */
  readonly isStrict?: boolean;
}

/**
 * Creates the writer for a route with a declared class. Every return value is sent as that class.
 *
 * @param options class-transformer's own: groups, version and the rest
 * @throws UndeclaredPartError during writing, with `isStrict`
 */
export function writerOf(
  type: WireClass,
  options: ClassTransformOptions,
  { isHardened = false, isStrict = false }: WriterOptions = {},
): ResponseWriter {
  return responseWriter(type, options, { hardened: isHardened, strict: isStrict });
}

/**
 * Creates the writer for a route without a declared class. Instances with a ruled class are written by their rules, even inside
 * a plain object. Plain objects are sent unchanged, and lists element by element.
 *
 * @param options the `@SerializeOptions` options. If present, everything is written like class-transformer does it,
 * including plain objects, as with Nest's own interceptor
 */
export function undeclaredWriter(
  options?: ClassTransformOptions,
  { isHardened = false }: WriterOptions = {},
): Writer {
  const { write, toPlain } = compileSerializer(Object, options, { hardened: isHardened });
  const isRuled = ruledClasses(isHardened);

  function filtered(value: unknown): unknown {
    if (!isObject(value)) return value;
    if (Array.isArray(value)) return value.map(filtered);
    if (isRuled(value.constructor)) return toPlain(value);
    return typeof Reflect.get(value, 'toJSON') === 'function' ? value : withFilteredParts(value);
  }

  function withFilteredParts(value: object): unknown {
    const entries = Object.entries(value).map(([key, part]): [string, unknown] => [key, filtered(part)]);
    const isUnchanged = entries.every(([key, part]) => part === Reflect.get(value, key));
    return isUnchanged ? value : Object.fromEntries(entries);
  }

  return (returned) => {
    const isWhole = options !== undefined || (isObject(returned) && isRuled(returned.constructor));
    return isWhole ? write(returned) : JSON.stringify(filtered(returned));
  };
}

/** Creates the writer for a route that declares that it sends no object. The writer throws for an object. */
export function onlyText(refusal: () => Error): Writer {
  return (returned) => {
    if (isObject(returned)) throw refusal();
    return JSON.stringify(returned);
  };
}

/**
 * Returns a function that tells whether a class has rules. It is called for every sent object. The result is cached per class,
 * since a class is complete before its first instance exists.
 */
function ruledClasses(isHardened: boolean): (type: unknown) => boolean {
  const cache = new WeakMap<Function, boolean>();
  return (type) => {
    if (!isFunction(type) || type === Object) return false;
    const cached = cache.get(type);
    if (cached !== undefined) return cached;
    if (!isHardened) assertClosedClass(type);
    const isRuled = hasTransforms(type);
    cache.set(type, isRuled);
    return isRuled;
  };
}
