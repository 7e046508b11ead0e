import { Executor, readTransforms } from '@app/shapes';
import { TransformationType } from 'class-transformer';
import type { FullOptions } from './options';
import { allowedUntyped, strictExecutor } from './strict';

/** How classes are read beyond what class-transformer does. */
export interface Manner {
  /** A class inherits the class-level `@Exclude()` of the one it extends, and Maps are looked into. */
  readonly isHardened: boolean;
  /** An object in a property without a `@Type` is refused, unless its class is closed. */
  readonly isStrict: boolean;
}

/** class-transformer itself, for one call: it may be asked about the whole value or about any part of it. */
export function makeExecutor(options: FullOptions, { isHardened, isStrict }: Manner): Executor {
  const executor = new Executor(TransformationType.CLASS_TO_PLAIN, options);
  if (!isHardened && !isStrict) return executor;
  inheritStrategies(executor, options);
  lookIntoMaps(executor);
  if (isStrict) strictExecutor(executor, allowedUntyped(options));
  return executor;
}

/** As `instanceToPlain(value, options)`. */
export function referenceToPlain(value: unknown, options: FullOptions, manner: Manner): unknown {
  return makeExecutor(options, manner).transform(undefined, value, undefined, undefined, undefined);
}

type KeysOf = (target: Function | undefined, value: object, isMap: boolean) => string[];

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
 * for an Object: neither has rules, so all of an instance would be sent. Here both are written by what they are.
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
