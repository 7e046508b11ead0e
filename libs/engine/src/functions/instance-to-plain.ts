import { compileSerializer } from '../serialization/run/compile-serializer';
import { instanceToPlain as toPlain } from '../serialization/run/instance-to-plain';
import type * as library from 'class-transformer';

/** class-transformer's `instanceToPlain`, compiled. */
export const instanceToPlain: typeof library.instanceToPlain = toPlain;

/** class-transformer's `classToPlain`, compiled. */
export const classToPlain: typeof library.classToPlain = toPlain;

/** class-transformer's `serialize`, compiled: without options, the JSON is written without a plain object. */
export const serialize: typeof library.serialize = (
  object: unknown,
  options?: library.ClassTransformOptions,
) => (options ? JSON.stringify(toPlain(object, options)) : writer()(object));

/** A class that no value has: with that of plain objects, these would be written by their layouts, which is slower. */
class Anything {}

let write: ((object: unknown) => string) | undefined;

/** Created on first use, so that importing the package reads no decorators. */
function writer(): (object: unknown) => string {
  return (write ??= compileSerializer(Anything).write);
}
