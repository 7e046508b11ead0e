import { isFunction } from '../../shapes/values';
import { whyNoTransforms } from '../../shapes/not-compiled';
import type { FullOptions } from '../../shapes/transforms/full-options';
import { Executor } from '../../shapes/transforms/imported-library';
import { installedVersion, isKnownVersion } from '../../shapes/transforms/reference';
import { readTransforms } from '../../shapes/transforms/transform-shape';
import { instanceToPlain, TransformationType } from 'class-transformer';
import { allowedUntyped, strictExecutor } from './strict';

/** The options for reading classes, in addition to class-transformer's options. */
export interface ReadingOptions {
  /** Makes a class inherit the class-level `@Exclude()` of its superclass, and writes Map entries by their classes. */
  readonly isHardened: boolean;
  /** Whether an object in a property without `@Type` is rejected, unless its class is closed. */
  readonly isStrict: boolean;
}

/** Creates a class-transformer executor for a single call. It can serialize the whole value or any part of it. */
export function makeExecutor(options: FullOptions, { isHardened, isStrict }: ReadingOptions): Executor {
  const executor = new Executor(TransformationType.CLASS_TO_PLAIN, options);
  if (!isHardened && !isStrict) return executor;
  inheritStrategies(executor, options);
  lookIntoMaps(executor);
  if (isStrict) strictExecutor(executor, allowedUntyped(options));
  return executor;
}

/**
 * Calls `instanceToPlain(value, options)` from the class-transformer that the program imports. An unknown class-transformer may
 * differ from the executor's package, and only the imported package knows the declarations.
 *
 * @throws TypeError for a hardened or strict writer in such a program, because it would send excluded fields
 */
export function referenceToPlain(value: unknown, options: FullOptions, reading: ReadingOptions): unknown {
  if (!reading.isHardened && !reading.isStrict) return instanceToPlain(value, options);
  if (!isKnownVersion(installedVersion())) throw new TypeError(`nothing is sent: ${whyNoTransforms()}`);
  return makeExecutor(options, reading).transform(undefined, value, undefined, undefined, undefined);
}

type KeysOf = (target: Function | undefined, value: object, isMap: boolean) => string[];

/** Passes an inherited strategy as the option, because a class without its own strategy uses the option's strategy. */
function inheritStrategies(executor: Executor, options: FullOptions): void {
  const keysOf: KeysOf = Reflect.get(executor, 'getKeys');
  const hardenedKeysOf: KeysOf = (target, value, isMap) => {
    const strategy = isFunction(target) ? readTransforms(target).inheritedStrategy : 'none';
    const chosen = strategy === 'none' ? options : { ...options, strategy };
    Reflect.set(executor, 'options', chosen);
    const keys = keysOf.call(executor, target, value, isMap);
    Reflect.set(executor, 'options', options);
    return keys;
  };
  Reflect.set(executor, 'getKeys', hardenedKeysOf);
}

/**
 * Writes Map entries and `@Type(() => Object)` values by their own classes. class-transformer treats the entries of an untyped
 * Map as Maps, and values with `@Type(() => Object)` as Objects. These types have no rules, so all fields would be sent.
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
