import { whyNoTransforms } from '../../shapes/not-compiled';
import type { FullOptions } from '../../shapes/transforms/full-options';
import { Executor } from '../../shapes/transforms/imported-library';
import { installedVersion, isKnownVersion } from '../../shapes/transforms/reference';
import { readTransforms } from '../../shapes/transforms/transform-shape';
import { instanceToPlain, TransformationType } from 'class-transformer';
import { allowedUntyped, strictExecutor } from './strict';

/** How classes are read in addition to class-transformer's options. */
export interface ReadingOptions {
  /**
   * A class inherits the class-level `@Exclude()` of its superclass, and the entries of Maps are written by their
   * classes.
   */
  readonly isHardened: boolean;
  /** An object in a property without `@Type` is rejected, unless its class is closed. */
  readonly isStrict: boolean;
}

/** An executor of class-transformer for one call: it can serialize the whole value or any part of it. */
export function makeExecutor(options: FullOptions, { isHardened, isStrict }: ReadingOptions): Executor {
  const executor = new Executor(TransformationType.CLASS_TO_PLAIN, options);
  if (!isHardened && !isStrict) return executor;
  inheritStrategies(executor, options);
  lookIntoMaps(executor);
  if (isStrict) strictExecutor(executor, allowedUntyped(options));
  return executor;
}

/**
 * As `instanceToPlain(value, options)`, by the class-transformer that the program imports. If it is not known, it may be another
 * one than the executor's, and only it knows what the decorators have declared.
 *
 * @throws TypeError for a hardened or strict writer in such a program: it would send what is excluded
 */
export function referenceToPlain(value: unknown, options: FullOptions, reading: ReadingOptions): unknown {
  if (!reading.isHardened && !reading.isStrict) return instanceToPlain(value, options);
  if (!isKnownVersion(installedVersion())) throw new TypeError(`nothing is sent: ${whyNoTransforms()}`);
  return makeExecutor(options, reading).transform(undefined, value, undefined, undefined, undefined);
}

type KeysOf = (target: Function | undefined, value: object, isMap: boolean) => string[];

/** A class without its own strategy uses the option's, so an inherited one is passed as that. */
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
 * class-transformer treats the entries of a Map without a type as Maps, and values with `@Type(() => Object)` as
 * Objects: neither has rules, so all fields of an instance would be sent. Here both are written by their own classes.
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
