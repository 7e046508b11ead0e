import { isFunction, isObject, prototypeOf } from '../../shapes/values';
import { code } from '../../shapes/code/code';
import { isDate, isNumber, type IsNumberOptions } from 'class-validator';
import type { ByName, RuleFacts, RuleTest } from './rule';

export const typeTests: ByName<RuleTest> = {
  /** Accepts a boxed text, like class-validator. */
  IsString: {
    test: () => (value) => typeof value === 'string' || value instanceof String,
    emit: (value) => code`(typeof ${value} === 'string' || ${value} instanceof String)`,
  },
  IsBoolean: {
    test: () => (value) => typeof value === 'boolean' || value instanceof Boolean,
    emit: (value) => code`(typeof ${value} === 'boolean' || ${value} instanceof Boolean)`,
  },
  IsInt: {
    test: () => (value) => Number.isInteger(value),
    emit: (value) => code`Number.isInteger(${value})`,
  },
  /**
   * Accepts integers directly, because they have no decimal places. The library validates other numbers, and may throw at
   * `1e-7`.
   */
  IsNumber: {
    throws: true,
    test: ([options]) => {
      if (isEmptyObject(options)) return (value) => Number.isFinite(value);
      if (!isObject(options)) return undefined;
      return (value) =>
        (Number.isInteger(value) && !((options as IsNumberOptions).maxDecimalPlaces! < 0)) ||
        isNumber(value, options);
    },
    emit: (value, _, [options]) => (isEmptyObject(options) ? code`Number.isFinite(${value})` : undefined),
  },
  IsArray: {
    test: () => (value) => Array.isArray(value),
    emit: (value) => code`Array.isArray(${value})`,
  },
  IsObject: {
    test: () => (value) =>
      value !== null && (typeof value === 'object' || isFunction(value)) && !Array.isArray(value),
    emit: (value) =>
      code`(${value} !== null && (typeof ${value} === 'object' || typeof ${value} === 'function') && !Array.isArray(${value}))`,
  },
  IsDate: { calls: isDate },
};

function isEmptyObject(value: unknown): boolean {
  return (
    value === undefined ||
    (typeof value === 'object' &&
      value !== null &&
      Reflect.ownKeys(value).length === 0 &&
      prototypeOf(value) === Object.prototype)
  );
}

export const typeFacts: ByName<RuleFacts> = {
  IsString: { takes: 'text', keywords: () => ({ type: 'string' }) },
  IsBoolean: { keywords: () => ({ type: 'boolean' }) },
  IsInt: { takes: 'number', keywords: () => ({ type: 'integer' }) },
  IsNumber: {
    takes: 'number',
    // `multipleOf` would be inexact for decimal fractions.
    keywords: ({ maxDecimalPlaces: places }: IsNumberOptions = {}) => {
      if (places === 0) return { type: 'integer' };
      return {
        type: 'number',
        ...(places !== undefined && { description: `At most ${places} decimal places.` }),
      };
    },
  },
  IsArray: { takes: 'list', isOpen: true, keywords: () => ({ type: 'array' }) },
  IsObject: { takes: 'object', isOpen: true, keywords: () => ({ type: 'object' }) },
  IsNotEmptyObject: { takes: 'object', isOpen: true },
  /** Declares no keywords, because JSON lacks dates and a string is converted before it is validated. */
  IsDate: { keywords: () => ({}) },
};
