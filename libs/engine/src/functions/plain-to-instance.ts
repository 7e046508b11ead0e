import * as library from 'class-transformer';
import { plainToInstance as toInstance } from '../validation/validators/drop-in';
import { FirstCalls } from './first-calls';

const first = new FirstCalls();

/** class-transformer's `plainToInstance`, compiled. */
export const plainToInstance: typeof library.plainToInstance = <T, V>(
  type: library.ClassConstructor<T>,
  plain: V[],
  options?: library.ClassTransformOptions,
) => (first.isAmong(type, plain) ? library.plainToInstance : toInstance)(type, plain, options);

/** class-transformer's `plainToClass`, compiled. */
export const plainToClass: typeof library.plainToClass = plainToInstance;

/** class-transformer's `deserialize`, compiled. */
export const deserialize: typeof library.deserialize = (type, json, options) =>
  plainToInstance(type, JSON.parse(json), options);

/** class-transformer's `deserializeArray`, compiled. */
export const deserializeArray: typeof library.deserializeArray = (type, json, options) => {
  const list: unknown[] = JSON.parse(json);
  return plainToInstance(type, list, options);
};
