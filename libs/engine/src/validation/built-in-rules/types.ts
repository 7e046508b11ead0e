import { code } from '../../shapes/code/code';
import { isDate, isNumber, type IsNumberOptions } from 'class-validator';
import { rule } from './rule';

export const typeRules = [
  /** Accepts a boxed text, like class-validator. */
  rule({
    name: 'IsString',
    takes: 'text',
    keywords: () => ({ type: 'string' }),
    test: () => (value) => typeof value === 'string' || value instanceof String,
    emit: (value) => code`(typeof ${value} === 'string' || ${value} instanceof String)`,
  }),
  rule({
    name: 'IsBoolean',
    keywords: () => ({ type: 'boolean' }),
    test: () => (value) => typeof value === 'boolean' || value instanceof Boolean,
    emit: (value) => code`(typeof ${value} === 'boolean' || ${value} instanceof Boolean)`,
  }),
  rule({
    name: 'IsInt',
    takes: 'number',
    keywords: () => ({ type: 'integer' }),
    test: () => (value) => Number.isInteger(value),
    emit: (value) => code`Number.isInteger(${value})`,
  }),
  /**
   * Accepts integers directly, because they have no decimal places. The library validates other numbers, and may throw at
   * `1e-7`.
   */
  rule({
    name: 'IsNumber',
    takes: 'number',
    throws: true,
    // `multipleOf` would be inexact for decimal fractions.
    keywords: ({ maxDecimalPlaces: places }: IsNumberOptions = {}) => {
      if (places === 0) return { type: 'integer' };
      return {
        type: 'number',
        ...(places !== undefined && { description: `At most ${places} decimal places.` }),
      };
    },
    test: ([options]) => {
      if (isEmptyObject(options)) return (value) => Number.isFinite(value);
      if (typeof options !== 'object' || options === null) return undefined;
      return (value) =>
        (Number.isInteger(value) && !((options as IsNumberOptions).maxDecimalPlaces! < 0)) ||
        isNumber(value, options);
    },
    emit: (value, _, [options]) => (isEmptyObject(options) ? code`Number.isFinite(${value})` : undefined),
  }),
  rule({
    name: 'IsArray',
    takes: 'list',
    isOpen: true,
    keywords: () => ({ type: 'array' }),
    test: () => (value) => Array.isArray(value),
    emit: (value) => code`Array.isArray(${value})`,
  }),
  rule({
    name: 'IsObject',
    takes: 'object',
    isOpen: true,
    keywords: () => ({ type: 'object' }),
    test: () => (value) =>
      value !== null && (typeof value === 'object' || typeof value === 'function') && !Array.isArray(value),
    emit: (value) =>
      code`(${value} !== null && (typeof ${value} === 'object' || typeof ${value} === 'function') && !Array.isArray(${value}))`,
  }),
  rule({ name: 'IsNotEmptyObject', takes: 'object', isOpen: true }),
  /** Declares no keywords, because JSON lacks dates and a string is converted before it is validated. */
  rule({ name: 'IsDate', keywords: () => ({}), calls: isDate }),
];

function isEmptyObject(value: unknown): boolean {
  return (
    value === undefined ||
    (typeof value === 'object' &&
      value !== null &&
      Reflect.ownKeys(value).length === 0 &&
      Object.getPrototypeOf(value) === Object.prototype)
  );
}
