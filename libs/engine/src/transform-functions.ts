import { compileSerializer, instanceToPlain as toPlain } from '@app/serialization';
import { plainToInstance as toInstance } from '@app/validation';
import * as library from 'class-transformer';

type TransformOptions = library.ClassTransformOptions;

/** class-transformer's `plainToInstance`, compiled. */
export const plainToInstance: typeof library.plainToInstance = toInstance;

/** class-transformer's `plainToClass`, compiled. */
export const plainToClass: typeof library.plainToClass = toInstance;

/** class-transformer's `instanceToPlain`, compiled. */
export const instanceToPlain: typeof library.instanceToPlain = toPlain;

/** class-transformer's `classToPlain`, compiled. */
export const classToPlain: typeof library.classToPlain = toPlain;

/** class-transformer's `serialize`, compiled: without options, the JSON is written without a plain object. */
export const serialize: typeof library.serialize = (object: unknown, options?: TransformOptions) =>
  options ? JSON.stringify(toPlain(object, options)) : writer()(object);

/** class-transformer's `deserialize`, compiled. */
export const deserialize: typeof library.deserialize = (type, json, options) =>
  toInstance(type, JSON.parse(json), options);

/** class-transformer's `deserializeArray`, compiled. */
export const deserializeArray: typeof library.deserializeArray = (type, json, options) => {
  const list: unknown[] = JSON.parse(json);
  return toInstance(type, list, options);
};

/** A class that no value has: with that of plain objects, these would be written by their layouts, which is slower. */
class Anything {}

let write: ((object: unknown) => string) | undefined;

/** Created on first use, so that importing the package reads no decorators. */
function writer(): (object: unknown) => string {
  return (write ??= compileSerializer(Anything).write);
}
