import { type Executor, readTransforms } from '@app/shapes';
import { UndeclaredPartError } from '../errors';
import type { FullOptions } from './options';

/** Whether a value may stand where no class is declared. */
export type IsAllowed = (value: unknown) => boolean;

/**
 * What may stand in a property without a `@Type` when every class is closed: text, numbers and the like, dates, bytes,
 * instances of closed classes, and lists of all that. Not a plain object, which may be a row, nor an open instance.
 */
export function allowedUntyped(options: FullOptions): IsAllowed {
  const known = new Map<Function, boolean>();
  const isClosed = (type: unknown): boolean => {
    if (typeof type !== 'function' || type.prototype === undefined) return false;
    const found = known.get(type) ?? isClosedUnder(type, options);
    known.set(type, found);
    return found;
  };
  return function isAllowed(value): boolean {
    if (typeof value !== 'object' || value === null) return true;
    if (Array.isArray(value)) return value.every(isAllowed);
    return value instanceof Date || Buffer.isBuffer(value) || isClosed(value.constructor);
  };
}

type Transformed = (value: unknown, target: Function | undefined, key: string, obj: object) => unknown;

/** An executor that says which property holds what it must not; for what compiled code gives up. */
export function strictExecutor(executor: Executor, isAllowed: IsAllowed): void {
  const apply: Transformed = Reflect.get(executor, 'applyCustomTransformations');
  const strictApply: Transformed = (...given) => {
    const [, target, key, obj] = given;
    const last = apply.call(executor, ...given);
    const made: unknown = typeof last === 'function' ? last.call(obj) : last;
    if (
      target !== undefined &&
      !isBuiltIn(target) &&
      !readTransforms(target).typeOf.has(key) &&
      !isAllowed(made)
    ) {
      throw new UndeclaredPartError(`${target.name}.${key}`);
    }
    return made;
  };
  Reflect.set(executor, 'applyCustomTransformations', strictApply);
}

function isClosedUnder(type: Function, options: FullOptions): boolean {
  const { inheritedStrategy } = readTransforms(type);
  return inheritedStrategy === 'none'
    ? options.strategy === 'excludeAll'
    : inheritedStrategy === 'excludeAll';
}

function isBuiltIn(type: Function): boolean {
  return Function.prototype.toString.call(type).endsWith('{ [native code] }');
}
