import { code } from '@app/shapes';
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

/** Without options; those have corners (`1e-7` and decimal places) in which the library itself may throw. */
export const isNumber = leaf({
  name: 'IsNumber',
  test: ([options]) => (isEmptyObject(options) ? (value) => Number.isFinite(value) : undefined),
  emit: (value) => code`Number.isFinite(${value})`,
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
