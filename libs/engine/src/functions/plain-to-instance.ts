import { plainToInstance as toInstance } from '../validation/validators/drop-in';
import type * as library from 'class-transformer';

/** class-transformer's `plainToInstance`, compiled. */
export const plainToInstance: typeof library.plainToInstance = toInstance;

/** class-transformer's `plainToClass`, compiled. */
export const plainToClass: typeof library.plainToClass = toInstance;

/** class-transformer's `deserialize`, compiled. */
export const deserialize: typeof library.deserialize = (type, json, options) =>
  toInstance(type, JSON.parse(json), options);

/** class-transformer's `deserializeArray`, compiled. */
export const deserializeArray: typeof library.deserializeArray = (type, json, options) => {
  const list: unknown[] = JSON.parse(json);
  return toInstance(type, list, options);
};
