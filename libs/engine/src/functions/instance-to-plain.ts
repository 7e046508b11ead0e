import { isObject } from '../shapes/values';
import * as library from 'class-transformer';
import { compileSerializer } from '../serialization/run/compile-serializer';
import { instanceToPlain as toPlain } from '../serialization/run/instance-to-plain';
import { FirstCalls } from './first-calls';

const first = new FirstCalls();

function isAmongFirst(object: unknown): boolean {
  const sample: unknown = Array.isArray(object) ? object[0] : object;
  return first.isAmong(isObject(sample) ? sample.constructor : undefined, object);
}

/** The compiled version of class-transformer's `instanceToPlain`. */
export const instanceToPlain: typeof library.instanceToPlain = (
  object: unknown,
  options?: library.ClassTransformOptions,
): never =>
  (isAmongFirst(object) ? library.instanceToPlain(object, options) : toPlain(object, options)) as never;

/** The compiled version of class-transformer's `classToPlain`. */
export const classToPlain: typeof library.classToPlain = instanceToPlain;

/**
 * The compiled version of class-transformer's `serialize`. If the options are omitted, it writes the JSON directly and creates
 * no plain object.
 */
export const serialize: typeof library.serialize = (
  object: unknown,
  options?: library.ClassTransformOptions,
) => {
  if (options) return JSON.stringify(instanceToPlain(object, options));
  return isAmongFirst(object) ? library.serialize(object) : writer()(object);
};

/**
 * A class that matches no value. With the class of plain objects, plain objects would be written by their layouts, which is
 * slower.
 */
class Anything {}

let write: ((object: unknown) => string) | undefined;

/** Returns the writer. It is created on first use, so that importing the package reads no decorators. */
function writer(): (object: unknown) => string {
  return (write ??= compileSerializer(Anything).write);
}
