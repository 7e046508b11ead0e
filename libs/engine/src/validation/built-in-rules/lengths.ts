import { code } from '../../shapes/code/code';
import { maxLength, minLength } from 'class-validator';
import type { ByName, RuleFacts, RuleTest } from './rule';

export const lengthTests: ByName<RuleTest> = {
  MinLength: {
    throws: false,
    test: ([least]) =>
      isCount(least) ? (value) => typeof value === 'string' && isAtLeast(value, least) : undefined,
    emit: (value, scope, [least]) =>
      code`(typeof ${value} === 'string' && (${value}.length >= ${certainLength(Number(least))} || ${scope.hoist(isAtLeast)}(${value}, ${least})))`,
  },
  MaxLength: {
    throws: false,
    test: ([most]) =>
      isCount(most) ? (value) => typeof value === 'string' && isAtMost(value, most) : undefined,
    emit: (value, scope, [most]) =>
      code`(typeof ${value} === 'string' && (${value}.length <= ${most} || ${scope.hoist(isAtMost)}(${value}, ${most})))`,
  },
  Length: {
    throws: false,
    test: ([least, most]) => {
      if (!isCount(least) || !(most === undefined || isCount(most))) return undefined;
      return (value) =>
        typeof value === 'string' && isAtLeast(value, least) && (most === undefined || isAtMost(value, most));
    },
  },
};

function isCount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0;
}

const FIRST_SURROGATE = 0xd800;

/**
 * The most code units that validator.js counts as a single character: a surrogate pair and a variation selector. Versions from
 * 13.15.0 to 13.15.20 count no selector at all, so there is no such number.
 */
const MOST_UNITS = minLength('\ufe0f'.repeat(4), 2) ? 3 : Infinity;

/**
 * Whether a text has at least `least` characters. Versions of validator.js count surrogate pairs and variation selectors
 * differently, so the library decides if one of the first code units may be such a character.
 */
function isAtLeast(text: string, least: number): boolean {
  if (text.length < least) return false;
  if (text.length >= certainLength(least)) return true;
  for (let at = 0; at < least; at++)
    if (text.charCodeAt(at) >= FIRST_SURROGATE) return minLength(text, least);
  return true;
}

/** Returns the string length that guarantees at least `least` characters. */
function certainLength(least: number): number {
  return least <= 1 && MOST_UNITS === 3 ? least : MOST_UNITS * least;
}

function isAtMost(text: string, most: number): boolean {
  if (text.length <= most) return true;
  return text.length < certainLength(most + 1) && maxLength(text, most);
}

export const lengthFacts: ByName<RuleFacts> = {
  MinLength: {
    arguments: ['min'],
    takes: 'text',
    bounds: ['lower'],
    keywords: (least: number) => ({ type: 'string', minLength: least }),
  },
  MaxLength: {
    arguments: ['max'],
    takes: 'text',
    bounds: ['upper'],
    keywords: (most: number) => ({ type: 'string', maxLength: most }),
  },
  Length: {
    key: 'isLength',
    arguments: ['min', 'max'],
    takes: 'text',
    bounds: ['lower', 'upper'],
    keywords: (least: number, most?: number) => ({
      type: 'string',
      minLength: least,
      ...(most !== undefined && { maxLength: most }),
    }),
  },
  IsByteLength: { arguments: ['min', 'max'], takes: 'text' },
};
