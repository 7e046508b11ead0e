import { Executor, readTransforms } from '@app/shapes';
import { TransformationType } from 'class-transformer';
import type { FullOptions } from './options';
import { allowedUntyped, strictExecutor } from './strict';
import type { Reference } from './values';

/** @param isHardened whether classes inherit what closes them, and Maps are looked into */
export function referenceFor(options: FullOptions, isHardened: boolean, isSealed = false): Reference {
  const make = (): Executor =>
    isHardened || isSealed
      ? hardened(options, isSealed)
      : new Executor(TransformationType.CLASS_TO_PLAIN, options);
  // Between calls an executor keeps nothing but the circular check's path, and that is not compiled.
  const shared = make();
  return {
    whole: (value) => make().transform(undefined, value, undefined, undefined, undefined),
    part: (value, type, isMap = value instanceof Map) =>
      shared.transform(undefined, value, type, undefined, isMap),
  };
}

type KeysOf = (target: Function | undefined, value: object, isMap: boolean) => string[];

/** An executor in which a class inherits the strategy of the one it extends, and every instance obeys its own class. */
function hardened(options: FullOptions, isSealed: boolean): Executor {
  const executor = new Executor(TransformationType.CLASS_TO_PLAIN, options);
  inheritStrategies(executor, options);
  lookIntoMaps(executor);
  if (isSealed) strictExecutor(executor, allowedUntyped(options));
  return executor;
}

/** A class without a strategy of its own takes the option's, so an inherited one is handed over as that. */
function inheritStrategies(executor: Executor, options: FullOptions): void {
  const keysOf: KeysOf = Reflect.get(executor, 'getKeys');
  const hardenedKeysOf: KeysOf = (target, value, isMap) => {
    const strategy = typeof target === 'function' ? readTransforms(target).inheritedStrategy : 'none';
    const chosen = strategy === 'none' ? options : { ...options, strategy };
    Reflect.set(executor, 'options', chosen);
    const keys = keysOf.call(executor, target, value, isMap);
    Reflect.set(executor, 'options', options);
    return keys;
  };
  Reflect.set(executor, 'getKeys', hardenedKeysOf);
}

/**
 * class-transformer takes the entries of a Map without a type for Maps, and what stands under `@Type(() => Object)`
 * for an Object: neither has rules, so all of an instance would leave. Here both are written by what they are.
 */
function lookIntoMaps(executor: Executor): void {
  const transform = executor.transform.bind(executor);
  executor.transform = (source, value, type, arrayType, isMap, level) => {
    const isTyped = type !== undefined && type !== Object && type !== Map;
    if (isTyped) return transform(source, value, type, arrayType, isMap, level);
    const looked: unknown = value instanceof Map ? Object.fromEntries(value) : value;
    return transform(source, looked, undefined, arrayType, false, level);
  };
}
