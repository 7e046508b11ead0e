import { code } from '@app/shapes';
import { isNumber as libraryIsNumber, type IsNumberOptions } from 'class-validator';
import { leaf } from './rule';

/** A boxed text counts, as in class-validator. */
export const isString = leaf({
  name: 'IsString',
  test: () => (value) => typeof value === 'string' || value instanceof String,
  emit: (value) => code`(typeof ${value} === 'string' || ${value} instanceof String)`,
});

export const isBoolean = leaf({
  name: 'IsBoolean',
  test: () => (value) => typeof value === 'boolean' || value instanceof Boolean,
  emit: (value) => code`(typeof ${value} === 'boolean' || ${value} instanceof Boolean)`,
});

export const isInt = leaf({
  name: 'IsInt',
  test: () => (value) => Number.isInteger(value),
  emit: (value) => code`Number.isInteger(${value})`,
});

/** Integers have no decimal places; other numbers are validated by the library, which may throw at `1e-7`. */
export const isNumber = leaf({
  name: 'IsNumber',
  test: ([options]) => {
    if (isEmptyObject(options)) return (value) => Number.isFinite(value);
    if (typeof options !== 'object' || options === null) return undefined;
    return (value) =>
      (Number.isInteger(value) && !((options as IsNumberOptions).maxDecimalPlaces! < 0)) ||
      libraryIsNumber(value, options);
  },
  emit: (value, _, [options]) => (isEmptyObject(options) ? code`Number.isFinite(${value})` : undefined),
  throws: true,
});

export const isArray = leaf({
  name: 'IsArray',
  test: () => (value) => Array.isArray(value),
  emit: (value) => code`Array.isArray(${value})`,
});

export const isObject = leaf({
  name: 'IsObject',
  test: () => (value) =>
    value !== null && (typeof value === 'object' || typeof value === 'function') && !Array.isArray(value),
  emit: (value) =>
    code`(${value} !== null && (typeof ${value} === 'object' || typeof ${value} === 'function') && !Array.isArray(${value}))`,
});

function isEmptyObject(value: unknown): boolean {
  return (
    value === undefined ||
    (typeof value === 'object' &&
      value !== null &&
      Reflect.ownKeys(value).length === 0 &&
      Object.getPrototypeOf(value) === Object.prototype)
  );
}
