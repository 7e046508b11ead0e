import * as library from 'class-transformer';
import { plainToInstance as toInstance } from '../validation/validators/drop-in';
import { FirstCalls } from './first-calls';

const first = new FirstCalls();

/** The compiled version of class-transformer's `plainToInstance`. */
export const plainToInstance: typeof library.plainToInstance = <T, V>(
  type: library.ClassConstructor<T>,
  plain: V[],
  options?: library.ClassTransformOptions,
) => (first.isAmong(type, plain) ? library.plainToInstance : toInstance)(type, plain, options);

/** The compiled version of class-transformer's `plainToClass`. */
export const plainToClass: typeof library.plainToClass = plainToInstance;

/** The compiled version of class-transformer's `deserialize`. */
export const deserialize: typeof library.deserialize = (type, json, options) =>
  plainToInstance(type, JSON.parse(json), options);

/** The compiled version of class-transformer's `deserializeArray`. */
export const deserializeArray: typeof library.deserializeArray = (type, json, options) => {
  const list: unknown[] = JSON.parse(json);
  return plainToInstance(type, list, options);
};
