import { isFunction, isObject } from '../../shapes/values';
import type { FullOptions } from '../../shapes/transforms/full-options';
import type { Executor } from '../../shapes/transforms/imported-library';
import { readTransforms } from '../../shapes/transforms/transform-shape';
import { UndeclaredPartError } from '../errors';
import { isNative } from './plan-class';

/** Returns whether a value is allowed where no class is declared. */
export type IsAllowed = (value: unknown) => boolean;

/**
 * Returns a test for the values that are allowed in a property without `@Type` when every class is closed: strings, numbers and
 * other primitives, dates, bytes, closed-class instances, and lists of these. It rejects open-class instances and plain objects,
 * which may be rows.
 */
export function allowedUntyped(options: FullOptions): IsAllowed {
  const cache = new Map<Function, boolean>();
  const isClosed = (type: unknown): boolean => {
    if (!isFunction(type) || type.prototype === undefined) return false;
    const isClosedType = cache.get(type) ?? isClosedUnder(type, options);
    cache.set(type, isClosedType);
    return isClosedType;
  };
  return function isAllowed(value): boolean {
    if (!isObject(value)) return true;
    if (Array.isArray(value)) return value.every(isAllowed);
    return value instanceof Date || Buffer.isBuffer(value) || isClosed(value.constructor);
  };
}

type Transformed = (value: unknown, target: Function | undefined, key: string, obj: object) => unknown;

/**
 * Makes a class-transformer executor throw for a disallowed value and name the property. It covers values that compiled code
 * does not handle.
 */
export function strictExecutor(executor: Executor, isAllowed: IsAllowed): void {
  const apply: Transformed = Reflect.get(executor, 'applyCustomTransformations');
  const strictApply: Transformed = (...args) => {
    const [, target, key, obj] = args;
    const last = apply.call(executor, ...args);
    const result: unknown = isFunction(last) ? last.call(obj) : last;
    if (
      target !== undefined &&
      !isNative(target) &&
      !readTransforms(target).typeOf.has(key) &&
      !isAllowed(result)
    ) {
      throw new UndeclaredPartError(`${target.name}.${key}`);
    }
    return result;
  };
  Reflect.set(executor, 'applyCustomTransformations', strictApply);
}

function isClosedUnder(type: Function, options: FullOptions): boolean {
  const { inheritedStrategy } = readTransforms(type);
  return inheritedStrategy === 'none'
    ? options.strategy === 'excludeAll'
    : inheritedStrategy === 'excludeAll';
}
