import { hasTransforms } from '../../shapes/transforms/declared-rules';
import { isObject } from '../../shapes/values';
import type { ClassTransformOptions } from 'class-transformer';
import { type ResponseWriter, responseWriter } from './response-writer';
import { compileSerializer } from './compile-serializer';
import type { WireClass } from '../plan/wire-class';
import { assertClosedClass } from '../findings/wire-classes';

/** Converts a handler's return value to the JSON that is sent. */
export type Writer = (returned: unknown) => string;

/** How a writer treats undeclared parts. */
export interface WriterOptions {
  /** A class inherits the class-level `@Exclude()` of its superclass. */
  readonly isHardened?: boolean;
  /** An object in a property without a class is rejected, unless its own class is closed. */
  readonly isStrict?: boolean;
}

/**
 * The writer of a route with a declared class: every return value is sent as that class.
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
 * The writer of a route without a declared class: instances whose class has rules are written by them, plain objects
 * are sent unchanged, lists element by element. Instances inside a plain object are written by their rules too.
 *
 * @param options of `@SerializeOptions`. If given, everything is written as class-transformer does it, plain objects
 *   too, as by Nest's own interceptor
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

/** The writer of a route that is declared to send no object, and throws for one. */
export function onlyText(refusal: () => Error): Writer {
  return (returned) => {
    if (isObject(returned)) throw refusal();
    return JSON.stringify(returned);
  };
}

/**
 * Called for every sent object; the result is cached per class, since a class is complete before its first instance
 * exists.
 */
function ruledClasses(isHardened: boolean): (type: unknown) => boolean {
  const known = new WeakMap<Function, boolean>();
  return (type) => {
    if (typeof type !== 'function' || type === Object) return false;
    const found = known.get(type);
    if (found !== undefined) return found;
    if (!isHardened) assertClosedClass(type);
    const isRuled = hasTransforms(type);
    known.set(type, isRuled);
    return isRuled;
  };
}
